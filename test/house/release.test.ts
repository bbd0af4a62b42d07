// A release: one version for all packages, a changelog each, and nothing that is not committed.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
      workspaces: ['a', 'b', 'c']
    }),
    'CHANGELOG.md': CHANGELOG,
    a: {
      'package.json': json({ name: '@x/a', version: '0.1.0' }),
      'plugin.json': json({ id: 'a', version: '0.1.0' })
    },
    b: {
      'package.json': json({ name: '@x/b', version: '0.1.0', dependencies: { '@x/a': '0.1.0' } })
    },
    c: { 'package.json': json({ name: 'c', version: '0.1.0', private: true }) }
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
  t.equal(JSON.parse(read('a/plugin.json')).version, '0.2.0')
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
