// Sentences that servers say have German words: those of a table together, in each page that words one of it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'plugins'],
  { cwd: ROOT, encoding: 'utf8' }
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)))

/** The built module of a source. */
function builtOf(path: string): string {
  let folder = dirname(path)
  while (!existsSync(join(ROOT, folder, 'package.json'))) folder = dirname(folder)
  return join(ROOT, folder, 'dist', relative(folder, path).replace(/\.ts$/, '.js'))
}

const sources = files.filter(
  (path) =>
    /(?<!\.test)\.ts$/.test(path) &&
    readFileSync(join(ROOT, path), 'utf8').includes('defineSentences(')
)
const tables = new Map<string, Readonly<Record<string, string>>>()
for (const path of sources) {
  const module: object = await import(pathToFileURL(builtOf(path)).href)
  for (const [name, table] of Object.entries(module))
    if (name.endsWith('Sentences')) tables.set(name, table)
}

const catalogs = files
  .filter((path) => path.endsWith('/said.de.json'))
  .map((path) => {
    const texts: Readonly<Record<string, string | Readonly<Record<string, string>>>> = JSON.parse(
      readFileSync(join(ROOT, path), 'utf8')
    )
    const words = Object.entries(texts).map(([key, text]) => [key.replace(/^said\./, ''), text])
    return { path, words: new Map(words as [string, string | object][]) }
  })
const slotsOf = (text: unknown): readonly string[] =>
  [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()

test('every module with sentences exports their table, and a code is in one table', async (t) => {
  t.ok(sources.length > 0)
  for (const path of sources) {
    const module: object = await import(pathToFileURL(builtOf(path)).href)
    t.ok(
      Object.keys(module).some((name) => name.endsWith('Sentences')),
      path
    )
  }
  const codes = [...tables.values()].flatMap((table) => Object.keys(table))
  t.same(
    codes.filter((code, at) => codes.indexOf(code) !== at),
    []
  )
})

test('an English sentence has no space before a percent sign', async (t) => {
  const sentences = [...tables.values()].flatMap((table) => Object.values(table))
  t.same(
    sentences.filter((text) => /[}\d]\s%/.test(text)),
    []
  )
})

test('each sentence has German words, and a page that words one of a table words all', async (t) => {
  for (const [name, table] of tables) {
    const codes = Object.keys(table)
    const wording = catalogs.filter(({ words }) => codes.some((code) => words.has(code)))
    t.ok(wording.length > 0, `${name} is worded by a page`)
    for (const { path, words } of wording)
      t.same(
        codes.filter((code) => !words.has(code)),
        [],
        `${path} words all of ${name}`
      )
  }
})

test('German words are of a sentence, name what it names, and are the same everywhere', async (t) => {
  const sentences = new Map([...tables.values()].flatMap((table) => Object.entries(table)))
  const said = new Map<string, unknown>()
  for (const { path, words } of catalogs) {
    for (const [code, text] of words) {
      const where = `${path}: ${code}`
      const known = slotsOf(sentences.get(code) ?? '')
      t.ok(sentences.has(code), where)
      t.same(
        slotsOf(text).filter((slot) => !known.includes(slot)),
        [],
        `${where} has facts`
      )
      t.same(text, said.get(code) ?? text, `${where} is as elsewhere`)
      said.set(code, text)
    }
  }
})
