// A release: one version for all packages, a changelog each, and nothing that is not committed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

const { packageChangelog, refusal, unreleasedOf, withVersion } = await import(
  join(ROOT, '.build', 'release', 'plan-release.mjs')
)
const CHANGELOG = '# Changelog\n\n## 0.1.0 (unreleased)\n\n- A.\n\n## 0.0.1 (2026-01-01)\n\n- Z.\n'
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** A repository of three packages, one of them private. */
function repository(t: Test) {
  const folder = t.testdir({
    'package.json': json({
      name: 'all',
      version: '0.1.0',
      private: true,
      workspaces: ['a', 'b', 'c'],
      scripts: { build: 'true', types: 'true' }
    }),
    'CHANGELOG.md': CHANGELOG,
    a: {
      'package.json': json({ name: '@x/a', version: '0.1.0' }),
      'plugin.json': json({ id: 'a', version: '0.1.0' })
    },
    b: {
      'package.json': json({ name: '@x/b', version: '0.1.0', dependencies: { '@x/a': '0.1.0' } }),
      'plugin.json': json({ id: 'b', version: '0.1.0', requires: { a: '^0.1.0' } })
    },
    // As a template of `create`: what it writes must install.
    c: {
      'package.json': json({
        name: 'c',
        version: '0.1.0',
        private: true,
        peerDependencies: { '@x/a': '^0.1.0' }
      })
    }
  })
  cpSync(join(ROOT, '.build', 'release.mjs'), join(folder, '.build', 'release.mjs'))
  cpSync(join(ROOT, '.build', 'release'), join(folder, '.build', 'release'), { recursive: true })
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.email', 'ann@acme.test')
  git('config', 'user.name', 'Ann')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'a: begin')
  git('tag', 'v0.0.1')
  return { folder, git, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

/** A registry that refuses some names, and keeps the order of what it took. */
async function standInRegistry(t: Test, refusedNames: readonly string[]) {
  const refused = new Set(refusedNames)
  const kept = new Map<string, { readonly versions: object }>()
  const server = createServer(async (request, reply) => {
    const name = decodeURIComponent((request.url ?? '').slice(1))
    const said = await bodyOf(request)
    const isPut = request.method === 'PUT'
    if (isPut && !refused.has(name)) kept.set(name, said as { versions: object })
    const found = isPut ? !refused.has(name) : kept.has(name)
    reply.writeHead(found ? 200 : isPut ? 403 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(found ? (kept.get(name) ?? {}) : { error: 'refused' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'a token',
    npm_config_fetch_retries: '0'
  }
  return {
    env,
    refused,
    get taken() {
      return [...kept.keys()]
    }
  }
}

async function bodyOf(request: AsyncIterable<Uint8Array>): Promise<unknown> {
  const parts: Uint8Array[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return text === '' ? undefined : JSON.parse(text)
}

/** The script beside the test, so that a registry in this process can answer it. */
async function run(folder: string, env: object, ...args: string[]) {
  const child = spawn(process.execPath, ['.build/release.mjs', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part))
  const [code] = await once(child, 'close')
  return { code, text }
}

const release = (folder: string, ...args: string[]) =>
  execFileSync(process.execPath, ['.build/release.mjs', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe'
  })

test('a release names one version everywhere, writes changelogs, commits and tags', async (t) => {
  const { folder, git, read } = repository(t)
  writeFileSync(join(folder, 'a', 'index.js'), '')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'a: answer faster')
  release(folder, '0.2.0')
  t.match(JSON.parse(read('b/package.json')), {
    version: '0.2.0',
    dependencies: { '@x/a': '0.2.0' }
  })
  t.same(JSON.parse(read('c/package.json')).peerDependencies, { '@x/a': '^0.2.0' })
  t.match(JSON.parse(read('b/plugin.json')), { version: '0.2.0', requires: { a: '^0.2.0' } })
  t.match(read('CHANGELOG.md'), /^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m)
  t.match(read('a/CHANGELOG.md'), /# @x\/a: changes\n\n## 0\.2\.0 .*\n\n- a: answer faster\n/)
  t.match(read('b/CHANGELOG.md'), /- No change\./)
  t.throws(() => read('c/CHANGELOG.md'))
  t.equal(git('tag', '--points-at', 'HEAD').trim(), 'v0.2.0')
  t.match(git('log', '-1', '--format=%B'), /^release: 0\.2\.0\n\n- A\./)
  t.equal(git('status', '--porcelain'), '')
})

test('what is not committed, a version of the past and one that is tagged are refused', async (t) => {
  const { folder } = repository(t)
  t.throws(() => release(folder, 'soon'), /"soon" is not a version/)
  t.throws(() => release(folder, '0.0.1'), /tagged already/)
  t.throws(() => release(folder, '0.0.2'), /older than 0\.1\.0/)
  writeFileSync(join(folder, 'note.txt'), '')
  t.throws(() => release(folder, '0.2.0'), /Commit these files first: \?\? note\.txt/)
})

test('a release that fails leaves the files as before', async (t) => {
  const { folder, git, read } = repository(t)
  const before = json({ ...JSON.parse(read('a/package.json')), dependencies: { '@x/z': '1.0.0' } })
  writeFileSync(join(folder, 'a', 'package.json'), before)
  git('commit', '--quiet', '--all', '-m', 'a: need z')
  const registry = await standInRegistry(t, [])
  const { code, text } = await run(folder, registry.env, '0.2.0')
  t.equal(code, 1)
  t.match(text, /Nothing was released, and the files are as before/)
  t.equal(git('status', '--porcelain'), '')
  t.equal(read('a/package.json'), before)
  t.equal(git('tag').trim(), 'v0.0.1')
})

test('publishing goes on where a run was ended', async (t) => {
  const { folder, git } = repository(t)
  git('tag', 'v0.1.0')
  const registry = await standInRegistry(t, ['@x/b'])
  t.equal((await run(folder, registry.env, '--publish')).code, 1)
  t.same(registry.taken, ['@x/a'])
  registry.refused.clear()
  t.equal((await run(folder, registry.env, '--publish')).code, 0)
  t.same(registry.taken, ['@x/a', '@x/b'])
  t.match((await run(folder, registry.env, '--publish')).text, /has all packages of 0\.1\.0/)
})

test('a build that proves its place refuses packages without a repository', async (t) => {
  const { folder, git } = repository(t)
  git('tag', 'v0.1.0')
  const { code, text } = await run(folder, { ACTIONS_ID_TOKEN_REQUEST_URL: '' }, '--publish')
  t.equal(code, 1)
  t.match(text, /"repository", which is missing in a\/package\.json, b\/package\.json/)
})

test('only a tagged commit is published', async (t) => {
  const { folder } = repository(t)
  t.throws(() => release(folder, '--publish', '--dry-run'), /HEAD is not tagged v0\.1\.0/)
})

test('a release says something', async (t) => {
  const given = { version: '0.2.0', current: '0.1.0', changed: [], tags: [] }
  t.equal(refusal({ ...given, changelog: CHANGELOG }), undefined)
  t.match(refusal({ ...given, changelog: '# Changelog\n' }), /says nothing/)
  t.equal(unreleasedOf(CHANGELOG), '- A.')
})

test('the layout of a file stays, and foreign versions too', async (t) => {
  const text =
    '{\n  "name": "@x/a", "version": "1.0.0",\n  "dependencies": { "@x/b": "1.0.0", "@y/c": "1.0.0" }\n}'
  t.equal(
    withVersion(text, '2.0.0', new Set(['@x/b'])),
    '{\n  "name": "@x/a", "version": "2.0.0",\n  "dependencies": { "@x/b": "2.0.0", "@y/c": "1.0.0" }\n}'
  )
})

test('the changelog of a package begins with the newest release', async (t) => {
  const entry = { name: '@x/a', day: '2026-01-02' }
  const first = packageChangelog('', { ...entry, version: '1.0.0', subjects: ['First release.'] })
  t.equal(first, '# @x/a: changes\n\n## 1.0.0 (2026-01-02)\n\n- First release.\n')
  const second = packageChangelog(first, { ...entry, version: '1.1.0', subjects: ['a: mend b'] })
  t.match(second, /1\.1\.0[\s\S]*- a: mend b\n\n## 1\.0\.0/)
})
