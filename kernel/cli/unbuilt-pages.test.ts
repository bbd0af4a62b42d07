// Finding pages that other sites cannot load.
import type { Manifest } from '@keelson/sdk'
import { test } from 'tap'
import { keelson, pluginFolder, writeFiles } from './testing/platform-folder.ts'
import { bareImports, unbuiltPages } from './unbuilt-pages.ts'

test('packages are found in source and in bundled code, addresses and texts are not', async (t) => {
  const source = `// from 'comment'
import { html,
  css } from 'lit'
import '@keelson/ui'
import type from "./type.js"
export { x } from '/x.js'
import y from 'https://example.com/y.js'
export const text = "not from 'here'"
const later = await import(name)
`
  t.same(bareImports(source), ['lit', '@keelson/ui'])
  t.same(bareImports('import{html as a}from"lit";import"@keelson/ui";export{a as b}from"lit";'), [
    'lit',
    '@keelson/ui'
  ])
})

const page = { id: 'main', element: 'alpha-main', module: './main.js', title: 'M', role: 'viewer' }
const manifestWith = (more: object) => ({ id: 'alpha', pages: [{ ...page, ...more }] }) as Manifest
const file = { module: "import 'lit'", hasEmbedFile: false }

test('a page for other sites that imports packages is named with what it imports', async (t) => {
  t.match(
    unbuiltPages(manifestWith({}), () => file),
    [
      {
        code: 'KRN_CLI_PAGE_UNBUILT',
        details: { path: 'pages[0].module', file: './main.js', names: 'lit' }
      }
    ]
  )
})

for (const [why, more, files] of [
  ['a page for the shell alone', { embed: false }, file],
  ['a page with a self-contained file', {}, { ...file, hasEmbedFile: true }],
  ['a page without packages', {}, { ...file, module: "import './other.js'" }],
  ['a missing page, which another check names', {}, { ...file, module: undefined }]
] as const) {
  test(`${why} is fine`, async (t) => {
    t.same(
      unbuiltPages(manifestWith(more), () => files),
      []
    )
  })
}

test('keelson check names an unbuilt page', async (t) => {
  const folder = t.testdir()
  const pages = [{ ...page, module: './pages/main.js' }]
  await writeFiles(folder, {
    ...pluginFolder('alpha', { pages }),
    'plugins/alpha/pages/main.js': `import { html } from 'lit'\ncustomElements.define('${page.element}', class {})\n`
  })
  t.match(await keelson(folder, ['check', 'plugins/alpha', '--json']), {
    code: 1,
    json: { problems: [{ code: 'KRN_CLI_PAGE_UNBUILT', path: 'pages[0].module' }] }
  })
  await writeFiles(folder, { 'plugins/alpha/embed/main.js': '' })
  t.match(await keelson(folder, ['check', 'plugins/alpha']), { code: 0 })
})
