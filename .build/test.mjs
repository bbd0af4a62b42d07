// Builds, then runs every test (or those whose path holds one of the arguments), and counts them.
// Usage: npm test [-- <part of a path>…] [-- --coverage]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { packageOf, runFiles } from './test-run.mjs'
import { sourceFolders } from './transpile.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const withCoverage = process.argv.includes('--coverage')
const COVERAGE = join(root, 'coverage', 'raw')
/** Every process of a run begins with it: workers, engines, and what tests start. */
const V8 = fileURLToPath(new URL('./test-v8.cjs', import.meta.url))
/** With --coverage files for browsers are longer, and the engine is not bundled: what users get is left to the other run. */
const LOOKS_AT_PACKAGES = /\/(size-limits|packages\/packages)\.test\.js$/
/** A busy machine fails a few files that pass alone; a fault fails them again, or fails many. */
const RUN_AGAIN_AT_MOST = 4
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
// A quarter of the compiler's time was spent on garbage, of which it leaves little.
process.env.GOGC ??= '400'
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, '--require', JSON.stringify(V8)].join(' ')
const times = readTimes()
const files = longestFirst([...new Set(testFiles())])
if (files.length === 0) throw new Error(`No test matches ${wanted.join(' ')}.`)
const results = new Map()
const env = environment()
await runFiles(files, { root, env, onFile: report })
const unstable = await runAgainAlone(
  [...results.values()].filter(({ failed }) => failed > 0).map(({ file }) => file)
)
writeTimes(times)
if (withCoverage) {
  const { reportCoverage } = await import('./coverage.mjs')
  await reportCoverage(root, COVERAGE)
}
for (const file of unstable) console.log(`unstable: ${sourceOf(file)} passed only when run alone`)
const total = (key) => [...results.values()].reduce((sum, result) => sum + result[key], 0)
for (const { file, failures } of results.values()) {
  for (const name of failures) console.log(`failed: ${file}: ${name}`)
}
const [passed, failed, skipped] = [total('passed'), total('failed'), total('skipped')]
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function report(result) {
  const { file, ms, passed, failed, diagnoses } = result
  results.set(file, result)
  times[file] = ms
  const state = failed > 0 ? `${failed} FAILED` : `${passed} passed`
  console.log(
    `[${results.size}/${files.length}] ${sourceOf(file)} ${state} ${(ms / 1000).toFixed(1)} s`
  )
  for (const lines of diagnoses) console.log(lines.join('\n'))
}

/** Runs files that failed once more, one at a time; returns those that pass then. */
async function runAgainAlone(failed) {
  if (failed.length === 0 || failed.length > RUN_AGAIN_AT_MOST) return []
  console.log(`Running ${failed.length} of them again, alone.`)
  for (const file of failed) await runFiles([file], { root, env, workers: 1, onFile: report })
  return failed.filter((file) => results.get(file).failed === 0)
}
