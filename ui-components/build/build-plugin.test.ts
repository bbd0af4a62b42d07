// Building one plugin: its modules and its pages, and what is left as it is.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { buildPlugin } from './build-plugin.ts'
import { elementsManifest } from './elements-manifest.ts'
import { uiFolder } from './place.ts'
import { pluginFolder } from './plugin-folder.fixture.ts'

const MODULE = './dist/browser/pages/list.js'
const PAGE = "import { definePage } from '@keelson/ui'\n"
const FILES = {
  'plugin.json': JSON.stringify({
    id: 'notes',
    pages: [{ id: 'list', module: MODULE, element: 'notes-list', title: 'Notes' }]
  }),
  'tsconfig.json': '{}',
  'index.ts': "import { one } from './one.ts'\nexport const two: number = one + 1\n",
  'one.ts': 'export const one: number = 1\n',
  'pages/list/page.ts': `${PAGE}definePage('notes-list', class extends HTMLElement {})\n`
}

test('TypeScript becomes modules that Node loads, and a page both of its forms', async (t) => {
  const folder = pluginFolder(t, FILES)
  t.match(await buildPlugin({ folder }), {
    modules: 4,
    modulesWritten: 4,
    pages: [{ page: 'list', size: Number, embedSize: Number, isWritten: true }]
  })
  t.equal((await import(join(folder, 'dist/index.js'))).two, 2)
  t.same(
    JSON.parse(readFileSync(join(folder, 'dist/plugin.json'), 'utf8')),
    JSON.parse(FILES['plugin.json'])
  )
  t.match(readFileSync(join(folder, MODULE), 'utf8'), /from\s*"@keelson\/ui"/)
  t.notMatch(readFileSync(join(folder, 'dist/browser/embed/list.js'), 'utf8'), /@keelson\/ui"/)
})

test('the elements of pages for other sites are in custom-elements.json', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildPlugin({ folder })
  const path = 'dist/browser/embed/list.js'
  t.match(JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8')), {
    schemaVersion: '1.0.0',
    modules: [{ path, declarations: [{ name: 'NotesList', tagName: 'notes-list' }] }]
  })
})

test('the names of attributes and events are those of the base class of pages', async (t) => {
  const { modules } = JSON.parse(
    elementsManifest({ id: 'notes', pages: [{ id: 'list', element: 'notes-list' }] }) ?? ''
  )
  const [{ attributes, events }] = modules[0].declarations
  const source = (name: string) => readFileSync(join(uiFolder, name), 'utf8')
  const own = /static override readonly properties[^}]*?\{([\s\S]*?)\n {2}\}/
  const [, properties = ''] = own.exec(source('keelson-page.ts')) ?? []
  const named = properties.split('\n').flatMap((line) => {
    const [, property, attribute = property] =
      /^ +(\w+): \{(?: attribute: '(.+)' )?\}/.exec(line) ?? []
    return attribute ?? []
  })
  t.same(
    attributes.map(({ name }: { name: string }) => name),
    named
  )
  for (const { name } of events) t.ok(source('page.ts').includes(`type = '${name}'`), name)
})

test('what did not change is not written again, and the sizes are still known', async (t) => {
  const folder = pluginFolder(t, FILES)
  const first = await buildPlugin({ folder })
  const second = await buildPlugin({ folder })
  t.match(second, { modules: 4, modulesWritten: 0, pages: [{ isWritten: false }] })
  const sizes = ({ pages }: typeof first) => pages.map(({ size, embedSize }) => [size, embedSize])
  t.same(sizes(second), sizes(first))
})

test('a page whose file was removed is built again', async (t) => {
  const folder = pluginFolder(t, FILES)
  await buildPlugin({ folder })
  rmSync(join(folder, 'dist/browser/embed/list.js'))
  t.match(await buildPlugin({ folder }), { pages: [{ isWritten: true }] })
})

test('the module of a deleted source goes; a module from elsewhere stays', async (t) => {
  const folder = pluginFolder(t, { ...FILES, 'old.ts': 'export const old = 1\n' })
  await buildPlugin({ folder })
  writeFileSync(join(folder, 'dist/foreign.js'), 'export {}\n')
  rmSync(join(folder, 'old.ts'))
  await buildPlugin({ folder })
  const files = ['old.js', 'old.js.map', 'foreign.js', 'one.js']
  t.same(
    files.filter((name) => existsSync(join(folder, 'dist', name))),
    ['foreign.js', 'one.js']
  )
})

test('a plugin in plain JavaScript gets its pages and nothing else', async (t) => {
  const folder = pluginFolder(t, {
    'plugin.json': FILES['plugin.json'],
    'index.js': 'export {}\n',
    'pages/list/page.js': FILES['pages/list/page.ts']
  })
  t.match(await buildPlugin({ folder }), { modules: 0, pages: [{ page: 'list' }] })
  t.notOk(existsSync(join(folder, 'dist/index.js')))
  t.ok(existsSync(join(folder, MODULE)))
})

test('a syntax error names the file', async (t) => {
  const folder = pluginFolder(t, { ...FILES, 'one.ts': 'export const = 1\n' })
  await t.rejects(buildPlugin({ folder }), { message: /one\.ts/ })
})

test('a manifest that names another module than the build writes is refused', async (t) => {
  const pages = [{ id: 'list', module: './pages/list.js' }]
  const folder = pluginFolder(t, {
    ...FILES,
    'plugin.json': JSON.stringify({ id: 'notes', pages })
  })
  await t.rejects(buildPlugin({ folder }), {
    message:
      /page list of notes: plugin\.json names \.\/pages\/list\.js .*dist\/browser\/pages\/list/
  })
})
