// Checks that every export of a package's public entries has a doc comment.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The packages that are held to it. */
const PACKAGES = ['sdk', 'ui-components', 'protect']

const DECLARATION =
  /^export (?:declare )?(?:default )?(?:async |abstract )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/
const NAMED = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm
const ALL = /^export (?:type )?\* from '([^']+)'/gm

/** The sources of what package.json exports: `./dist/x.d.ts` comes from `x.ts`. */
function entriesOf(folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.values(exports).flatMap(({ types }) => {
    if (types === undefined) return []
    const source = types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')
    if (!source.includes('*')) return [join(folder, source)]
    const [before, after] = source.split('*')
    return readdirSync(join(folder, before))
      .filter((name) => name.endsWith(after) && !name.includes('.test.'))
      .map((name) => join(folder, before, name))
  })
}

/** Where each exported name is declared: `{ name, file }`, names of other packages left out. */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8')
  const local = [...declarationsOf(file).keys()].map((name) => ({ name, file }))
  const named = [...text.matchAll(NAMED)].flatMap(([, names, from]) => {
    if (from !== undefined && !from.startsWith('.')) return []
    const source = from === undefined ? file : join(dirname(file), from)
    return names
      .split(',')
      .map((part) =>
        part
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0]
          .trim()
      )
      .filter((name) => name !== '' && name !== 'default')
      .flatMap((name) => placeOf(name, source))
  })
  const all = [...text.matchAll(ALL)].flatMap(([, from]) =>
    from.startsWith('.') ? exportsOf(join(dirname(file), from)) : []
  )
  return [...local, ...named, ...all]
}

/** A name that its module only passes on is followed to where it is declared. */
function placeOf(name, file) {
  if (declarationsOf(file).has(name)) return [{ name, file }]
  return exportsOf(file).filter((found) => found.name === name)
}

const read = new Map()

/** Exported names of a file, and whether a doc comment is before each. The first overload counts. */
function declarationsOf(file) {
  const known = read.get(file)
  if (known !== undefined) return known
  const found = new Map()
  read.set(file, found)
  if (!existsSync(file)) return found
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [at, line] of lines.entries()) {
    const name = DECLARATION.exec(line)?.[1]
    if (name !== undefined && !found.has(name)) found.set(name, isDocumented(lines, at))
  }
  return found
}

/** Comments for the linter may come between the two. */
function isDocumented(lines, at) {
  let before = at - 1
  while (/^(\/\/|@)/.test(lines[before] ?? '')) before--
  return /\*\/$/.test(lines[before] ?? '') && /^( \*| *\/\*\*)/.test(lines[before])
}

const problems = new Set()
let count = 0
for (const name of PACKAGES) {
  const folder = join(root, name)
  const places = new Set(
    entriesOf(folder)
      .flatMap(exportsOf)
      .map((found) => `${found.file}\n${found.name}`)
  )
  for (const place of places) {
    const [file, exported] = place.split('\n')
    count++
    if (!declarationsOf(file).get(exported)) {
      problems.add(`${relative(root, file)}: ${exported} is exported and has no doc comment`)
    }
  }
}
for (const problem of problems) console.error(problem)
console.log(`${count} exports, ${problems.size} without a doc comment`)
process.exitCode = problems.size > 0 ? 1 : 0
