// keelson build, and what keelson dev builds before a start.
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { buildDevPlugins, findDevBuilds } from './dev-build.ts'
import type { SuperviseEvent } from './supervise.ts'
import { keelson, manifestOf, writeFiles } from './testing/platform-folder.ts'

const page = {
  id: 'main',
  element: 'alpha-main',
  module: './dist/browser/pages/main.js',
  title: 'Main',
  role: 'viewer'
}
const files = {
  'plugin.json': manifestOf('alpha', { main: './dist/index.js', pages: [page] }),
  'package.json': { name: 'alpha', type: 'module' },
  'tsconfig.json': {},
  'index.ts': 'export const one: number = 1\n',
  'pages/main/page.ts':
    "import { definePage } from '@keelson/ui'\ndefinePage('alpha-main', class extends HTMLElement {})\n"
}

async function typeScriptPlugin(t: Test): Promise<string> {
  const folder = t.testdir()
  await writeFiles(folder, files)
  return folder
}

/** Where no package is found. */
async function pluginAlone(t: Test): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-alone-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await writeFiles(folder, files)
  return folder
}

test('a plugin is built and the sizes of its pages are printed', async (t) => {
  const folder = await typeScriptPlugin(t)
  const built = await keelson(folder, ['build'])
  t.equal(built.code, 0)
  t.match(
    built.stdout,
    /^3 of 3 modules transpiled\npage main: 0\.\d kB in the shell, \d+\.\d kB for/
  )
  t.match(await readFile(join(folder, 'dist/index.js'), 'utf8'), /export const one = 1/)
  t.match(await keelson(folder, ['build']), {
    stdout:
      /^0 of 3 modules transpiled\npage main: .* \(unchanged\)\nplugin\.json: operations not written/
  })
  t.match((await keelson(folder, ['build', '--json'])).json, {
    plugin: 'alpha',
    modules: 3,
    modulesWritten: 0,
    pages: [{ page: 'main', size: Number, embedSize: Number, isWritten: false }]
  })
})

test('check builds a plugin that was never built, and leaves one alone that was', async (t) => {
  const folder = await typeScriptPlugin(t)
  const index = join(folder, 'dist/index.js')
  await keelson(folder, ['check'])
  t.match(await readFile(index, 'utf8'), /export const one = 1/)
  await writeFile(index, 'export const two = 2\n')
  await keelson(folder, ['check'])
  t.match(await readFile(index, 'utf8'), /two/)
  await rm(join(folder, 'dist/browser/pages/main.js'))
  await keelson(folder, ['check'])
  t.match(await readFile(join(folder, 'dist/browser/pages/main.js'), 'utf8'), /alpha-main/)
})

test('check names the missing file and why the build failed', async (t) => {
  const folder = await typeScriptPlugin(t)
  const ghost = { ...page, id: 'ghost', element: 'alpha-ghost', module: './pages/none.js' }
  const manifest = manifestOf('alpha', { main: './dist/index.js', pages: [page, ghost] })
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest))
  const { code, json } = await keelson(folder, ['check', '--json'])
  t.equal(code, 1)
  const { ok, problems } = json as { ok: boolean; problems: { code: string; path: string }[] }
  t.equal(ok, false)
  t.ok(problems.some(({ path }) => path === 'pages[1].module'))
  t.match(problems.at(-1), { code: 'KRN_CLI_BUILD_FAILED', message: /none\.js/, remedy: /./ })
})

test('a plugin whose manifest is right again passes check after a build that failed', async (t) => {
  const folder = await typeScriptPlugin(t)
  const copied = "import './plugin.json' with { type: 'json' }\nexport const one: number = 1\n"
  await writeFile(join(folder, 'index.ts'), copied)
  const good = await readFile(join(folder, 'plugin.json'), 'utf8')
  await keelson(folder, ['check'])
  const ghost = { ...page, id: 'ghost', element: 'alpha-ghost', module: './pages/none.js' }
  const broken = manifestOf('alpha', { main: './dist/index.js', pages: [page, ghost] })
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(broken))
  await keelson(folder, ['check'])
  await writeFile(join(folder, 'plugin.json'), good)
  await keelson(folder, ['check'])
  t.equal(await readFile(join(folder, 'dist/plugin.json'), 'utf8'), good)
})

test('an invalid manifest is refused before anything is built', async (t) => {
  const folder = t.testdir({ 'plugin.json': '{}', 'tsconfig.json': '{}', 'index.ts': '' })
  t.match(await keelson(folder, ['build']), { code: 1, stderr: /manifestVersion/ })
})

test('a syntax error is named with its file', async (t) => {
  const folder = await typeScriptPlugin(t)
  await writeFile(join(folder, 'index.ts'), 'export const = 1\n')
  const { code, stderr } = await keelson(folder, ['build'])
  t.equal(code, 1)
  t.match(stderr, /cannot be built: .*index\.ts/)
})

test('where the build is not installed, the package is named', async (t) => {
  const folder = await pluginAlone(t)
  t.match(await keelson(folder, ['build', '--json']), {
    code: 1,
    stderr: /npm install --save-dev @keelson\/ui-build/,
    json: { error: { code: 'KRN_CLI_BUILD_MISSING' } }
  })
})

const projectOf = (folder: string) => ({
  config: {},
  plugin: 'alpha',
  configFile: join(folder, 'keelson.config.json'),
  viewerPlugin: undefined,
  plugins: [folder],
  watched: [folder]
})

test('dev builds what changed before a start, and reports it', async (t) => {
  const folder = await typeScriptPlugin(t)
  const builds = await findDevBuilds(projectOf(folder))
  const events: SuperviseEvent[] = []
  const build = () => buildDevPlugins(builds, (event) => events.push(event))
  t.equal(await build(), true)
  t.equal(await build(), true)
  t.match(events, [{ event: 'built', text: /3 of 3 modules/ }])
  t.equal(events.length, 1, 'an unchanged plugin is not worth a line')
  await writeFile(join(folder, 'index.ts'), 'export const = 1\n')
  t.equal(await build(), false)
  t.match(events[1], { event: 'failed', text: /index\.ts/ })
})

test('dev asks for the build where a plugin in TypeScript has none', async (t) => {
  const folder = await pluginAlone(t)
  await t.rejects(findDevBuilds(projectOf(folder)), { code: 'KRN_CLI_BUILD_MISSING' })
})

test('dev leaves a plugin alone that another tool has built, and one in plain JavaScript', async (t) => {
  const folder = await pluginAlone(t)
  await writeFiles(folder, { 'dist/index.js': '' })
  t.same(await findDevBuilds(projectOf(folder)), [])
  await rm(join(folder, 'dist'), { recursive: true })
  await rm(join(folder, 'tsconfig.json'))
  t.same(await findDevBuilds(projectOf(folder)), [])
})

test('of a platform, dev builds the plugins of the workspace and not those that are installed', async (t) => {
  const folder = t.testdir()
  const [own, installed] = [join(folder, 'own'), join(folder, 'node_modules', 'installed')]
  for (const place of [own, installed]) await writeFiles(place, files)
  const project = { ...projectOf(folder), plugin: undefined, plugins: [own, installed] }
  t.same(
    (await findDevBuilds(project)).map((each) => each.folder),
    [own]
  )
})
