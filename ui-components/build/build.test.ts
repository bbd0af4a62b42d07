// Building pages: what comes out, what is said when it cannot, when nothing is to be done.
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { test } from 'tap'
import { buildAll } from './build-all.ts'
import { minifyTemplates } from './minify-templates.ts'
import { buildPages } from './pages.ts'
import { browserFolder } from './place.ts'
import { plainImports } from './plain-imports.ts'
import { pluginFolder } from './plugin-folder.fixture.ts'

const MANIFEST = JSON.stringify({
  id: 'notes',
  pages: [{ id: 'list' }, { id: 'inner', embed: false }]
})
const PAGE = `import { html, css } from 'lit'
import { definePage, KeelsonPage, loadChart } from '@keelson/ui'
class List extends KeelsonPage {
  static styles = css\`
    p { color: red; }
  \`
  content() { void loadChart(); return html\`<p>notes</p>\` }
}
definePage('notes-list', List)
`
const FILES = {
  'plugin.json': MANIFEST,
  'dist/pages/list/page.js': PAGE,
  'dist/pages/inner/page.js':
    "import { definePage } from '@keelson/ui'\ndefinePage('notes-inner', class extends HTMLElement {})"
}

test('a page is built for the shell with what is shared left out, and self-contained', async (t) => {
  const folder = pluginFolder(t, FILES)
  const built = await buildPages({ folder })
  const read = (name: string) => readFileSync(join(folder, 'dist', 'browser', name), 'utf8')
  const page = read('pages/list.js')
  t.match(page, /from\s*"@keelson\/ui"/)
  t.match(page, /notes-list/)
  const embed = read('embed/list.js')
  t.equal(/\b(import|from)\s*["'](lit|@lit|@keelson)/.test(embed), false, 'no bare names')
  t.match(embed, /Includes @lit\/reactive-element \(BSD-3-Clause\)/)
  const files = readdirSync(join(folder, 'dist', 'browser', 'embed'))
    .filter((name) => name.endsWith('.js'))
    .sort()
  t.match(
    files,
    [
      /^list-chart-[0-9a-f]{8}\.js$/,
      /^list-feedback-alone-[0-9a-f]{8}\.js$/,
      /^list-field-problem-[0-9a-f]{8}\.js$/,
      /^list-unsent-form-[0-9a-f]{8}\.js$/,
      'list.js'
    ],
    'the chart is a separate file'
  )
  t.equal(files.length, 5)
  t.match(built, [
    { page: 'list', size: Number, embedSize: Number },
    { page: 'inner', embedSize: undefined }
  ])
  t.equal(existsSync(join(folder, 'dist/browser/embed/inner.js')), false)
})

test('a page that is not compiled is named with its plugin', async (t) => {
  const folder = pluginFolder(t, { 'plugin.json': MANIFEST })
  await t.rejects(buildPages({ folder }), {
    message: /page list of notes: .*pages\/list\/page\.js is missing/
  })
})

test('a page that imports what is not there is named with its plugin', async (t) => {
  const folder = pluginFolder(t, {
    ...FILES,
    'dist/pages/list/page.js': "import 'no-such-package'"
  })
  await t.rejects(buildPages({ folder }), {
    message: /^page list of notes: [\s\S]*no-such-package/
  })
})

test('what a page loads later is a chunk, and no chunk imports the renamed entry', async (t) => {
  const folder = pluginFolder(t, {
    ...FILES,
    'dist/pages/list/page.js':
      "import { x } from './both.js'\nconsole.log(x)\nexport const more = () => import('./more.js')",
    'dist/pages/list/more.js': "import { x } from './both.js'\nexport const y = [x]",
    'dist/pages/list/both.js': "export const x = ['shared']"
  })
  const [built] = await buildPages({ folder })
  const pages = join(folder, 'dist/browser/pages')
  const names = readdirSync(pages).filter((name) => name.endsWith('.js'))
  const chunks = names.filter((name) => /^notes\.list-.*-[0-9a-f]{8}\.js$/.test(name))
  t.equal(chunks.length, 2, 'one for later, one that both share')
  for (const name of chunks)
    t.notMatch(readFileSync(join(pages, name), 'utf8'), /"\.\/list\.js"/, name)
  const codeAtOnce = readFileSync(join(pages, 'list.js'))
  t.ok(
    (built?.size ?? 0) > gzipSync(codeAtOnce).length,
    'the shared chunk counts as a part of the page'
  )
})

test('a file that became small loses the compressed forms of the larger one', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildPages({ folder })
  const pages = join(folder, 'dist/browser/pages')
  writeFileSync(join(pages, 'inner.js.gz'), 'old')
  await buildPages({ folder })
  t.notOk(existsSync(join(pages, 'inner.js.gz')))
})

test('only pages whose sources changed are built again', async (t) => {
  const folder = pluginFolder(t, FILES)
  t.equal(await buildAll({ folders: [folder] }), 2)
  t.equal(await buildAll({ folders: [folder] }), 0)
  writeFileSync(join(folder, 'dist/pages/list/page.js'), `${PAGE}// changed`)
  t.equal(await buildAll({ folders: [folder] }), 1)
})

test('equal content is not built again, whatever the time of the file says', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildAll({ folders: [folder] })
  const later = new Date(Date.now() + 5000)
  utimesSync(join(folder, 'dist/pages/inner/page.js'), later, later)
  t.equal(await buildAll({ folders: [folder] }), 0)
})

test('a page that another version of the bundler built is built again', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildAll({ folders: [folder] })
  const record = join(folder, 'dist/browser/pages/inner.inputs.json')
  const text = readFileSync(record, 'utf8')
  writeFileSync(record, text.replace(/rolldown [\d.]+/, 'rolldown 0.0.0'))
  t.equal(await buildAll({ folders: [folder] }), 1)
})

test('a page that is no longer embedded loses its embed file', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildAll({ folders: [folder] })
  const pages = [{ id: 'list', embed: false }]
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: 'notes', pages }))
  t.equal(await buildAll({ folders: [folder] }), 1)
  t.same(readdirSync(join(folder, 'dist/browser/embed')), [])
})

test('the error of a build names plugin and page', async (t) => {
  const folder = pluginFolder(t, { 'plugin.json': MANIFEST })
  await t.rejects(buildAll({ folders: [folder] }), { message: /page (list|inner) of notes/ })
})

test('large files have a Brotli and a gzip form beside them', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildPages({ folder })
  const embed = join(folder, 'dist/browser/embed/list.js')
  const text = readFileSync(embed)
  t.same(brotliDecompressSync(readFileSync(`${embed}.br`)), text)
  t.same(gunzipSync(readFileSync(`${embed}.gz`)), text)
})

test('a plugin without pages builds nothing', async (t) => {
  t.equal(await buildAll({ folders: [pluginFolder(t, { 'plugin.json': '{"id":"x"}' })] }), 0)
})

test('the shared files name each other by their content', async (t) => {
  const manifest = JSON.parse(readFileSync(join(browserFolder, 'manifest.json'), 'utf8'))
  for (const name of ['lit', 'lit/directives/repeat.js', '@keelson/ui', '@keelson/ui/chart']) {
    t.match(manifest.imports[name], /^[\w-]+\.[0-9a-f]{8}\.js$/, name)
    t.ok(existsSync(join(browserFolder, manifest.imports[name])), name)
  }
  t.ok(manifest.preload.length > 0)
})

test('templates lose their blanks and nothing else does', async (t) => {
  const code =
    "const a = css`\n  p {\n    color: red;\n  }\n  /* why */\n`\nconst b = 'x   y'\nconst c = other`\n  z`"
  t.equal(
    minifyTemplates(code),
    "const a = css` p{color:red}`\nconst b = 'x   y'\nconst c = other`\n  z`"
  )
  t.equal(minifyTemplates('html`\n  <p>\n    ${x}\n  </p>`'), 'html`\n<p>\n${x}\n</p>`')
  t.equal(
    minifyTemplates('html`<p>${html`\n   <b>a  b</b>`}</p>`'),
    'html`<p>${html`\n<b>a  b</b>`}</p>`'
  )
})

test('a computed import is what was written', async (t) => {
  t.equal(
    plainImports('await import(__rewriteRelativeImportExtension(a + b))'),
    'await import(a + b)'
  )
  t.equal(plainImports('await import(a)'), 'await import(a)')
})
