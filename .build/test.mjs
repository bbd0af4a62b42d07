// Builds, then runs every test (or those whose path holds one of the arguments), and counts them.
// Usage: npm test [-- <part of a path>…] [-- --coverage]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { packageOf } from './test-run.mjs'
import { runAndTryAgain, verdictOf } from './test-verdict.mjs'
import { sourceFolders } from './transpile.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const withCoverage = process.argv.includes('--coverage')
const COVERAGE = join(root, 'coverage', 'raw')
/** With --coverage files for browsers are longer, and the engine is not bundled: what users get is left to the other run. */
const LOOKS_AT_PACKAGES = /\/(size-limits|packages\/packages)\.test\.js$/
/** How long each file took in earlier runs: the longest go first, so that no worker waits for one at the end. */
const TIMES = join(root, 'node_modules', '.cache', 'keelson', 'test-times.json')

/** Taken for a file that has not run yet. */
const MEAN_MS = 2000

function testFiles() {
  return sourceFolders(root)
    .map((folder) => join(folder, 'dist'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !withCoverage || !LOOKS_AT_PACKAGES.test(path))
    .filter((path) => wanted.length === 0 || wanted.some((part) => sourceOf(path).includes(part)))
}

function sourceOf(path) {
  return path.replace('/dist/', '/').replace(/\.js$/, '.ts')
}

function readTimes() {
  return existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {}
}

function writeTimes(times) {
  mkdirSync(dirname(TIMES), { recursive: true })
  writeFileSync(TIMES, JSON.stringify(times))
}

/** Package by package, because the files of one share processes. */
function longestFirst(paths) {
  const timeOf = (path) => times[path] ?? MEAN_MS
  const ofPackage = {}
  for (const path of paths) {
    ofPackage[packageOf(path)] = (ofPackage[packageOf(path)] ?? 0) + timeOf(path)
  }
  return paths.sort(
    (a, b) =>
      ofPackage[packageOf(b)] - ofPackage[packageOf(a)] ||
      packageOf(a).localeCompare(packageOf(b)) ||
      timeOf(b) - timeOf(a) ||
      a.localeCompare(b)
  )
}

function environment() {
  if (!withCoverage) return process.env
  rmSync(COVERAGE, { recursive: true, force: true })
  return { ...process.env, NODE_V8_COVERAGE: COVERAGE }
}

// What browsers run is counted by source maps, which only these files need: tests that build keep the default.
if (withCoverage) process.env.KEELSON_PAGE_MAPS = '1'
await build({ forCoverage: withCoverage })
delete process.env.KEELSON_PAGE_MAPS
const times = readTimes()
const files = longestFirst([...new Set(testFiles())])
if (files.length === 0) throw new Error(`No test matches ${wanted.join(' ')}.`)
let done = 0
const outcome = await runAndTryAgain(files, { root, env: environment(), onFile: report })
writeTimes(times)
if (withCoverage) {
  const { reportCoverage } = await import('./coverage.mjs')
  await reportCoverage(root, COVERAGE)
}
const { lines, exitCode } = verdictOf(outcome)
for (const line of lines) console.log(line)
process.exitCode = exitCode

function report({ file, ms, passed, failed, diagnoses, rows }) {
  done++
  times[file] = ms
  const state = failed > 0 ? `${failed} FAILED` : `${passed} passed`
  const place = done > files.length ? 'again' : `${done}/${files.length}`
  console.log(`[${place}] ${sourceOf(file)} ${state} ${(ms / 1000).toFixed(1)} s`)
  for (const row of rows) console.log(row)
  for (const each of diagnoses) console.log(each.join('\n'))
}
