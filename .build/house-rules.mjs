// Checks the rules of the house that a linter does not know: file length and names, first lines,
// borders, circles of imports, knots of folders, leases made by hand, plugins that reach into another.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderKnots } from './folder-knots.mjs'
import { handMadeLeases } from './hand-made-leases.mjs'
import { importCircles } from './import-circles.mjs'
import { pluginBorders } from './plugin-borders.mjs'
import { misplacedTests } from './test-places.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const BANNED = /(^|[-/.])(manager|helpers?|utils?|common|misc|core|lib|impl)([-/.]|$)/
const SOURCE = /\.(ts|mjs|js)$/
/** A contract's file has the name of its id: mailer.core/v1. */
const isNamedById = (path) => /(^|\/)contracts\//.test(path)
const isTest = (path) => /\.test\.|\.fixture\.|(^|\/)(test(ing)?|stand-in)\//.test(path)
const isPageOfPlugin = (path) => /\/pages\//.test(path) && !isTest(path)
/** Printed from schemas, and as long as they are. */
const isPrinted = (path) => basename(path) === 'operation-types.ts'
const isRoomy = (path) => /(\.test\.|(^|\/)test\/|schema|messages)/.test(path)

const read = (path) => readFileSync(join(root, path), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8'
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))

/** Packages a file imports by name, without the Node built-ins. */
function importedPackages(text) {
  const statements =
    /^(?:import|export)\b[^'\n]* from '([^'\n]+)'|^\} from '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm
  return [...text.matchAll(statements)]
    .map((found) => found.slice(1).find((name) => name !== undefined))
    .filter((name) => !/^(node:|\.|\/)/.test(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    )
}

function packageOf(path) {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (files.includes(`${folder}/package.json`)) return folder
  }
  return undefined
}

function problemsOf(path) {
  const problems = []
  if (BANNED.test(path) && !isNamedById(path))
    problems.push('a name says what a thing is; this one has a banned word')
  if (!SOURCE.test(path)) return problems
  const text = read(path)
  const length = text.split('\n').length
  const limit = isRoomy(path) ? 600 : 400
  if (length > limit && !isPrinted(path))
    problems.push(`${length} lines; the limit is ${limit}: split it by reason`)
  if (!isTest(path) && !/^(#!.*\n)?\/\//.test(text))
    problems.push('the first line must say the reason of the file')
  if (/^export \* from/m.test(text)) problems.push('no barrels: name what is exported')
  if (/[{,]\s*\.\.\.\{\s/.test(text))
    problems.push('an object is spread where it is written: write its fields without the braces')
  if (isPageOfPlugin(path) && text.includes('<keelson-table'))
    problems.push('a page draws its tables with listPage, List or tableView of @keelson/ui')
  if (isPageOfPlugin(path) && /href=(["']\/|\$\{['"`]\/)|navigate\(['"`]\//.test(text))
    problems.push('a page links to other pages with linkTo, which knows the prefix of the platform')
  if (isTest(path) && text.includes('allInnerTexts('))
    problems.push('a test reads texts with textsOf: a row that is not drawn yet has no inner text')
  // An index that has changed keeps its keys, not its name.
  if (!isTest(path) && /\bhint: '[a-z0-9_]+'\s*(,\s|\}|$)/m.test(text) && !isPageOfPlugin(path))
    problems.push('a read hints at an index by its keys: a changed index has another name')
  return [...problems, ...borderProblems(path, text)]
}

function borderProblems(path, text) {
  const folder = packageOf(path)
  if (folder === undefined || isTest(path)) return []
  const {
    name,
    dependencies = {},
    peerDependencies = {},
    optionalDependencies = {},
    devDependencies = {}
  } = JSON.parse(read(`${folder}/package.json`))
  // What a page imports is bundled with it, or comes from the shell.
  const isPage = path.startsWith(`${folder}/pages/`)
  const declared = new Set([
    name,
    ...Object.keys({
      ...dependencies,
      ...peerDependencies,
      ...optionalDependencies,
      ...(isPage && devDependencies)
    })
  ])
  const problems = importedPackages(text)
    .filter((imported) => !declared.has(imported))
    .map((imported) => `imports ${imported}, which ${folder}/package.json does not declare`)
  if (folder.startsWith('plugins/') && /from '@keelson\/kernel(?!\/standalone')/.test(text)) {
    problems.push('a plugin imports the SDK, and of the kernel the stand-alone host alone')
  }
  if (folder.startsWith('kernel') && /from '@keelson\/(telemetry|mailer|agent|oauth)/.test(text)) {
    problems.push('the kernel imports no plugin')
  }
  return problems
}

function undocumentedDependencies() {
  const text = read('CONTRIBUTING.md')
  return files
    .filter((path) => basename(path) === 'package.json' && !path.startsWith('examples/'))
    .flatMap((path) => Object.keys(JSON.parse(read(path)).dependencies ?? {}))
    .filter((name) => !name.startsWith('@keelson/') && !text.includes(`\`${name}\``))
    .map((name) => `CONTRIBUTING.md: no line for the dependency ${name}`)
}

function circleProblems() {
  const modules = files
    .filter((path) => SOURCE.test(path))
    .map((path) => ({ path, text: read(path) }))
  const packages = files
    .filter((path) => basename(path) === 'package.json')
    .map((path) => ({ folder: dirname(path), ...JSON.parse(read(path)) }))
  const circles = importCircles(modules, packages).map(
    (circle) => `a circle of imports:\n  ${circle.join('\n  imports ')}`
  )
  const sources = modules.filter(({ path }) => !isTest(path))
  // The engine is MongoDB, not a user of it; a page does not take leases.
  const users = sources.filter(({ path }) => !/^(local-mongo|\.build)\/|\/pages\//.test(path))
  const plugins = packages.filter(({ folder }) => files.includes(`${folder}/plugin.json`))
  return [
    ...circles,
    ...folderKnots(sources, packages),
    ...handMadeLeases(users),
    ...misplacedTests(modules),
    ...pluginBorders(sources, plugins)
  ]
}

/** A reach into a library's inside fails by its contract test when the library changes. */
function reachesWithoutTest() {
  return files
    .filter((path) => path.includes('/fastify-internals/') && !isTest(path))
    .filter((path) => !files.includes(path.replace(/\.ts$/, '.test.ts')))
    .map((path) => `${path}: no contract test beside it`)
}

const problems = [
  ...circleProblems(),
  ...reachesWithoutTest(),
  ...files.flatMap((path) => problemsOf(path).map((problem) => `${path}: ${problem}`)),
  ...undocumentedDependencies()
]
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} against the rules of the house`)
process.exitCode = problems.length > 0 ? 1 : 0
