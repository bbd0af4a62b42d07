// npm run release -- VERSION: one version for all packages, a changelog each, a commit and a tag. --publish sends them.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  packageChangelog,
  refusal,
  releasedChangelog,
  unreleasedOf,
  withVersion
} from './release/plan-release.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { publish: { type: 'boolean' }, 'dry-run': { type: 'boolean' } }
})
const root = process.cwd()
const read = (file) => readFileSync(join(root, file), 'utf8')
const write = (file, text) => writeFileSync(join(root, file), text)
const run = (command, args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' })
const inherit = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })

const workspaces = JSON.parse(read('package.json')).workspaces
const packages = workspaces.map((folder) => ({
  folder,
  ...JSON.parse(read(`${folder}/package.json`))
}))
const published = packages.filter((each) => each.private !== true)

try {
  if (values.publish) publish()
  else release(positionals[0] ?? '')
} catch (error) {
  fail(error.message)
}

function release(version) {
  const tags = run('git', ['tag', '--list', 'v*']).trim().split('\n').filter(Boolean)
  const changelog = read('CHANGELOG.md')
  const changed = run('git', ['status', '--porcelain']).trim().split('\n').filter(Boolean)
  const current = JSON.parse(read('package.json')).version
  const problem = refusal({ version, current, changed, changelog, tags })
  if (problem !== undefined) return fail(problem)
  try {
    commitAll(version, changelog)
  } catch (error) {
    // The tree had no other changes: a release with them is refused.
    run('git', ['reset', '--quiet', '--hard'])
    run('git', ['clean', '--quiet', '-d', '--force'])
    return fail(`Nothing was released, and the files are as before. ${error.message}`)
  }
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Keelson ${version}`])
  console.log(`Tagged v${version}. Push it; then run npm run release -- --publish in CI.`)
}

function commitAll(version, changelog) {
  const day = new Date().toISOString().slice(0, 10)
  const tags = run('git', ['tag', '--list', 'v*']).trim()
  const last = tags === '' ? undefined : run('git', ['describe', '--tags', '--abbrev=0']).trim()
  writeVersions(version)
  write('CHANGELOG.md', releasedChangelog(changelog, version, day))
  for (const { folder, name } of published) writeChangelog(folder, { name, version, day, last })
  inherit('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'])
  run('git', ['add', '--all'])
  const message = `release: ${version}\n\n${unreleasedOf(changelog)}`
  run('git', ['commit', '--quiet', '--message', message])
}

function writeVersions(version) {
  const names = new Set(packages.map(({ name }) => name))
  for (const folder of ['', ...workspaces.map((each) => `${each}/`)])
    write(`${folder}package.json`, withVersion(read(`${folder}package.json`), version, names))
  const manifests = run('git', ['ls-files', 'plugin.json', '*/plugin.json'])
    .trim()
    .split('\n')
    .filter(Boolean)
  const ids = new Set(manifests.map((file) => JSON.parse(read(file)).id))
  for (const file of manifests) write(file, withVersion(read(file), version, ids))
}

function writeChangelog(folder, { last, ...entry }) {
  const file = `${folder}/CHANGELOG.md`
  const range = last === undefined ? [] : [`${last}..HEAD`]
  const log = ['log', '--no-merges', '--format=%s', '--max-count=500', ...range, '--', folder]
  const subjects =
    last === undefined ? ['First release.'] : run('git', log).trim().split('\n').filter(Boolean)
  write(
    file,
    packageChangelog(existsSync(join(root, file)) ? read(file) : '', { ...entry, subjects })
  )
}

/**
 * `prepack` of each package refuses what lacks a file that it promises. What the registry has already is left out, so a
 * run that was ended can be repeated.
 */
function publish() {
  const version = JSON.parse(read('package.json')).version
  const at = run('git', ['tag', '--points-at', 'HEAD']).trim().split('\n')
  if (!at.includes(`v${version}`)) return fail(`HEAD is not tagged v${version}.`)
  // npm signs where the build is known: in CI with an identity token.
  const isProven = process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined
  const unnamed = published.filter(({ repository }) => repository === undefined)
  if (isProven && unnamed.length > 0) return fail(noRepository(unnamed))
  inherit('npm', ['run', 'build'])
  inherit('npm', ['run', 'types'])
  const missing = published.filter(({ name }) => !isInRegistry(name, version))
  if (missing.length === 0) return console.log(`The registry has all packages of ${version}.`)
  const proof = isProven ? ['--provenance'] : []
  const dry = values['dry-run'] ? ['--dry-run'] : []
  const where = missing.flatMap(({ folder }) => ['--workspace', folder])
  inherit('npm', ['publish', '--access', 'public', ...proof, ...dry, ...where])
}

function isInRegistry(name, version) {
  const args = ['view', `${name}@${version}`, 'version', '--json', '--prefer-online']
  const { status, stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout.trim() !== ''
  const { code, summary } = JSON.parse(stdout || '{}').error ?? {}
  if (code === 'E404') return false
  throw new Error(`npm view ${name}@${version} failed: ${summary ?? code ?? stdout}`)
}

function noRepository(packages) {
  const files = packages.map(({ folder }) => `${folder}/package.json`).join(', ')
  return `npm proves where a package was built by its "repository", which is missing in ${files}. Add it, and release again.`
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
