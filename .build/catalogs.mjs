// Checks the catalogs of page texts, `<name>.<language>.json`: equal keys and placeholders, and that each text that is
// asked for exists.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CATALOG = /^(.*\/)([\w-]+)\.([a-z]{2})\.json$/
/** English of these is what an API says. */
const WITHOUT_ENGLISH = ['refusals', 'said', 'about']
const FORMS = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])
/** A text's key between quotes; names of files are none. */
const KEY = /['"]([a-z][A-Za-z]*(?:\.[A-Za-z0-9_]+)+)(?<!\.csv)['"]/g
const UI = 'ui-components/'

/** Whether a file is a catalog of texts. */
export const isCatalog = (path) =>
  CATALOG.test(path) && (path.startsWith(UI) || path.includes('/pages/'))

const placeholders = (message) =>
  [...new Set(JSON.stringify(message).match(/\{\w+\}/g))].sort().join(' ')
const isForms = (message) => typeof message === 'object' && message !== null

/**
 * The problems of catalogs and of the pages beside them, as lines for the terminal.
 * `files` are `{ path, text }`, with `/` in paths.
 */
export function catalogProblems(files) {
  const catalogs = files.filter(({ path }) => isCatalog(path)).map(readCatalog)
  return [
    ...catalogs.flatMap(ownProblems),
    ...catalogs.filter(({ language }) => language !== 'en').flatMap(translationProblems(catalogs)),
    ...catalogs.flatMap(missingGerman(catalogs)),
    ...files.filter(({ path }) => isPageModule(path)).flatMap(moduleProblems(catalogs))
  ]
}

function readCatalog({ path, text }) {
  const [, folder, name, language] = CATALOG.exec(path)
  return { path, text, language, of: `${folder}${name}`, messages: JSON.parse(text) }
}

/** German has a space before the sign, and where lines break there, it begins the next one. English has none. */
const PERCENT = {
  de: { wrong: /[}\d] %/, rule: 'needs \\u00a0 before %' },
  en: { wrong: /[}\d]\s%/, rule: 'needs no space before %' }
}

function ownProblems({ path, text, language, messages }) {
  const written = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key)
  const twice = written.filter((key, at) => written.indexOf(key) !== at)
  const shapes = Object.entries(messages).filter(([, message]) => !isMessage(message))
  const percent = PERCENT[language]
  const spaced = Object.entries(messages).filter(([, message]) =>
    percent?.wrong.test(JSON.stringify(message))
  )
  return [
    ...spaced.map(([key]) => `${path}: ${key} ${percent.rule}`),
    ...twice.map((key) => `${path}: ${key} is written twice`),
    ...shapes.map(([key]) => `${path}: ${key} must be a text, or forms by number with "other"`)
  ]
}

function isMessage(message) {
  if (typeof message === 'string') return true
  if (!isForms(message) || typeof message.other !== 'string') return false
  return Object.entries(message).every(
    ([form, text]) => FORMS.has(form) && typeof text === 'string'
  )
}

/** Pages of our plugins are in German, too; examples need not be. */
const missingGerman =
  (catalogs) =>
  ({ path, of, language }) => {
    const isTranslated = catalogs.some((one) => one.of === of && one.language === 'de')
    const isOurs = path.startsWith('plugins/') && language === 'en'
    return isOurs && !isTranslated ? [`${path}: there is no ${of}.de.json`] : []
  }

const translationProblems =
  (catalogs) =>
  ({ path, of, messages }) => {
    const english = catalogs.find((one) => one.of === of && one.language === 'en')
    if (english === undefined) {
      return WITHOUT_ENGLISH.some((name) => of.endsWith(`/${name}`))
        ? []
        : [`${path}: there is no ${of}.en.json`]
    }
    const [ours, theirs] = [Object.keys(messages), Object.keys(english.messages)]
    if (ours.join() !== theirs.join()) {
      const odd = [...ours, ...theirs].filter((key) => !ours.includes(key) || !theirs.includes(key))
      return [`${path}: has not the keys of ${of}.en.json in their order: ${odd.join(', ')}`]
    }
    return ours
      .filter((key) => {
        const [message, original] = [messages[key], english.messages[key]]
        return (
          placeholders(message) !== placeholders(original) || isForms(message) !== isForms(original)
        )
      })
      .map((key) => `${path}: ${key} has other placeholders or forms than in English`)
  }

const isPageModule = (path) =>
  /\/pages\/.*\.ts$/.test(path) && !/\.(test|fixture)\.ts$/.test(path) && !path.includes('/dist/')

/** Keys that a module asks for, and texts that it holds itself. */
const moduleProblems =
  (catalogs) =>
  ({ path, text }) => {
    const root = path.slice(0, path.indexOf('/pages/') + 1)
    const near = catalogs.filter((one) => one.path.startsWith(root) || one.path.startsWith(UI))
    const keys = near.flatMap(({ messages }) => Object.keys(messages))
    const first = new Set(keys.map((key) => key.split('.')[0]))
    const asked = [...text.matchAll(KEY)].map(([, key]) => key)
    const missing = asked.filter(
      (key) => first.has(key.split('.')[0]) && !keys.some((one) => `${one}.`.startsWith(`${key}.`))
    )
    const hasOwn = /: Messages = \{\s*['"]|registerCatalog\('\w+', \{/.test(text)
    const isBare = path.endsWith('/page.ts') && !/\.en\.json'|register\w+\(/.test(text)
    return [
      ...[...new Set(missing)].map((key) => `${path}: no catalog has the text ${key}`),
      ...(hasOwn || isBare ? [`${path}: texts of a page are in texts.en.json beside it`] : [])
    ]
  }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', 'plugins', 'examples', UI]
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => (isCatalog(path) || isPageModule(path)) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const problems = catalogProblems(files)
  for (const problem of problems) console.error(problem)
  console.log(
    `${files.filter(({ path }) => isCatalog(path)).length} catalogs, ${problems.length} problems`
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}
