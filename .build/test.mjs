// Builds, then runs every test (or those whose path holds one of the arguments), and counts them.
// Usage: npm test [-- <part of a path>…] [-- --coverage]
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { countTests } from './tap-count.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const withCoverage = process.argv.includes('--coverage')

/** Compiled tests below a folder that still have their source. */
function compiledTests(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && hasSource(path))
}

function hasSource(path) {
  return existsSync(path.replace(/\/dist\//, '/').replace(/\.js$/, '.ts'))
}

function outputFolders() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  return references.map(({ path }) => join(root, path, 'dist')).filter((path) => existsSync(path))
}

function runTap(files, output) {
  const tap = join(root, 'node_modules', '.bin', 'tap')
  const reporting = ['--reporter=terse', `--output-file=${output}`, '--jobs=2', '--timeout=180']
  const coverage = withCoverage
    ? ['--allow-incomplete-coverage', '--coverage-report=text', '--coverage-report=json-summary']
    : ['--disable-coverage']
  const child = spawn(tap, ['run', ...reporting, ...coverage, ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit']
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

await build()
const files = [...new Set(outputFolders().flatMap(compiledTests))]
  .map((path) => relative(root, path))
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
  .sort()
if (files.length === 0) throw new Error(`No test matches ${wanted.join(' ')}.`)
mkdirSync(join(root, '.tap'), { recursive: true })
const output = join(root, '.tap', 'results.tap')
const code = await runTap(files, output)
const { passed, failed, skipped, failures, diagnoses } = countTests(readFileSync(output, 'utf8'))
for (const lines of diagnoses) console.log(lines.join('\n'))
for (const name of failures) console.log(`failed: ${name}`)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : code
