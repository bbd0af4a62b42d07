// keelson check: every fault of a plugin's folder, with its code, path and remedy.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { keelson, manifestOf, sourceOf, writeFiles } from './testing/platform-folder.ts'

const page = {
  id: 'main',
  element: 'alpha-main',
  module: './pages/main.js',
  title: 'Main',
  role: 'viewer'
}

const definesMain = "customElements.define('alpha-main', class extends HTMLElement {})"

async function checked(
  t: Test,
  manifest: object | string,
  files: Readonly<Record<string, unknown>> = {},
  ...more: string[]
) {
  const folder = t.testdir()
  const content = typeof manifest === 'string' ? manifest : manifestOf('alpha', manifest)
  await writeFiles(folder, {
    'package.json': { type: 'module' },
    'plugin.json': content,
    'index.js': sourceOf(),
    ...files
  })
  const run = await keelson(folder, ['check', '--json', ...more])
  return { folder, ...run, problems: run.json?.problems }
}

test('a good plugin has no problems', async (t) => {
  const { code, json } = await checked(t, { pages: [page] }, { 'pages/main.js': definesMain })
  t.equal(code, 0)
  t.same(json, { ok: true, problems: [] })
})

test('people get text', async (t) => {
  const { folder } = await checked(t, {})
  t.match(await keelson(folder, ['check']), { code: 0, stdout: /all is well/ })
  t.match(await keelson('/', ['check', folder]), { code: 0 })
  await rm(join(folder, 'index.js'))
  t.match(await keelson(folder, ['check']), { code: 1, stdout: /KRN_CLI_FILE_MISSING main/ })
})

const faults: [
  name: string,
  manifest: object | string,
  code: string,
  path: string,
  text: RegExp
][] = [
  ['an unknown key', { rotues: [] }, 'KRN_MANIFEST_UNKNOWN_KEY', 'rotues', /routes/],
  ['no JSON', '{ "id": ', 'KRN_MANIFEST_UNREADABLE', 'plugin.json', /cannot be read/],
  [
    'a page without its file',
    { pages: [page] },
    'KRN_CLI_FILE_MISSING',
    'pages[0].module',
    /\.\/pages\/main\.js/
  ],
  [
    'more indexes than the budget',
    {
      collections: [
        { name: 'alpha_items', indexBudget: 0, indexes: [{ name: 'by_a', keys: { a: 1 } }] }
      ]
    },
    'KRN_INDEX_COUNT',
    'collections[0].indexes',
    /alpha_items.*budget/
  ],
  [
    'a migration without code',
    { migrations: [{ id: 'one', summary: 'First.' }] },
    'KRN_MIGRATION_CODE',
    'migrations[0]',
    /one.*no code/
  ],
  [
    'a config schema that is not the code’s',
    { config: { type: 'object' } },
    'KRN_CLI_STALE',
    'config',
    /code's config schema/
  ]
]
for (const [name, manifest, code, path, text] of faults) {
  test(`${name} is a problem with code, path and remedy`, async (t) => {
    const run = await checked(t, manifest)
    t.equal(run.code, 1)
    t.equal(run.json.ok, false)
    t.match(run.problems, [{ code, path, message: text, remedy: /\w/, plugin: String }])
  })
}

test('all faults of a manifest are listed at once', async (t) => {
  const { problems } = await checked(t, { rotues: [], pagez: [] })
  t.equal(problems.length, 2)
})

test('a plugin with sources that is not built has the remedy to build it', async (t) => {
  const { problems } = await checked(t, { main: './dist/index.js' }, { 'index.ts': '' })
  t.match(problems, [{ path: 'main', remedy: /not built/ }])
  const bare = await checked(t, { main: './dist/index.js' })
  t.match(bare.problems, [{ path: 'main', remedy: /Write the file/ }])
})

test('code that does not load is a problem', async (t) => {
  const { problems } = await checked(t, {}, { 'index.js': 'throw new Error("not today")' })
  t.match(problems, [{ code: 'KRN_PLUGIN_UNLOADABLE', path: 'main', message: /not today/ }])
})

test('code that carries another manifest is a problem', async (t) => {
  const source = `import { definePlugin } from '@keelson/sdk'
export default definePlugin({ manifest: { id: 'alpha', name: 'Old' }, register() {} })`
  const { problems } = await checked(t, {}, { 'index.js': source })
  t.match(problems, [{ code: 'KRN_CLI_STALE', path: 'plugin.json' }])
})

test('code of a migration that is not declared is a problem', async (t) => {
  const source = sourceOf('migrations: { stray: async () => {} }')
  const { problems } = await checked(t, {}, { 'index.js': source })
  t.match(problems, [{ code: 'KRN_MIGRATION_UNDECLARED', message: /stray/ }])
})

test('printed pages that are there must agree with plugin.json', async (t) => {
  const { folder, problems } = await checked(t, {}, { 'STORAGE.md': '# By hand' })
  t.match(problems, [{ code: 'KRN_CLI_STALE', path: 'STORAGE.md', remedy: /check --write/ }])
  t.match(await keelson(folder, ['check', '--write', '--json']), { code: 0, json: { ok: true } })
  t.match(await readFile(join(folder, 'STORAGE.md'), 'utf8'), /Printed from `plugin\.json`/)
  t.match(await readFile(join(folder, 'PERMISSIONS.md'), 'utf8'), /what it may touch/)
  t.match(await keelson(folder, ['check', '--json']), { code: 0 })
})
