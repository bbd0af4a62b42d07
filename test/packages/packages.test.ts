// The packages as their users get them: packed, installed outside the workspace, typed, run, embedded.
// Runs beside the others: it waits for much of its time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { ROOT } from '../hosts/processes.ts'
import {
  type InstalledPackage,
  installPackages,
  linkInto,
  readJson,
  runTool,
  TSC
} from './install.ts'
import { type Lock, productionInstall } from './production-install.ts'

const folder = mkdtempSync(join(tmpdir(), 'keelson-packages-'))
const app = join(folder, 'app')
tap.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
tap.teardown(closeBrowser)

const installed = await installPackages(folder)
cpSync(join(ROOT, 'test', 'packages', 'consumer'), app, { recursive: true })
writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
const names = installed.map(({ name }) => name)
linkInto(app, [...names, 'fastify', 'mongodb', 'lit', '@types/node', '@types/react'], installed)

function filesOf({ folder: root }: InstalledPackage): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('each package holds its license, readme, engines and the files it names', async (t) => {
  const { engines } = readJson<{ engines: object }>(join(ROOT, 'package.json'))
  for (const one of installed) {
    const isThere = (name: string) => existsSync(join(one.folder, name))
    const named = [...one.files.filter((name) => !name.startsWith('!')), 'LICENSE', 'README.md']
    t.same(
      named.filter((name) => !isThere(name)),
      [],
      `${one.name} has what it names`
    )
    t.same(
      Object.values(one.bin ?? {}).filter((file) => !isThere(file)),
      [],
      `${one.name} bin`
    )
    t.same(one.engines, engines, `${one.name} names the Node it needs`)
  }
})

test('no package holds tests, maps or build info', async (t) => {
  const surplus = installed
    .flatMap(filesOf)
    .filter((file) => /\.test\.|\.map$|\.tsbuildinfo$|\.fixture\./.test(file))
  t.same(surplus, [])
})

test('the SDK carries the schemas that $schema and messages name', async (t) => {
  const sdk = join(app, 'node_modules', '@keelson', 'sdk')
  const { $id } = readJson<{ $id: string }>(join(sdk, 'plugin-manifest.schema.json'))
  t.equal($id, readJson<{ $id: string }>(join(ROOT, 'plugin-manifest.schema.json')).$id)
  t.match(readJson(join(sdk, 'keelson.config.schema.json')), { type: 'object' })
})

test('the packages of a strict consumer have types, and wrong uses do not compile', async (t) => {
  t.equal(await runTool([TSC, '-p', '.', '--checkers', '1'], app), '')
})

test('every import of every module leads to a file that the package declares', async (t) => {
  const modules = installed
    .flatMap(filesOf)
    .filter((file) => /\.m?js$/.test(file) && !/\/(dist\/browser|scaffold|template)\//.test(file))
  t.ok(modules.length > 800)
  const script = join(app, 'dist', 'resolve.js')
  const child = spawn(process.execPath, ['--experimental-import-meta-resolve', script])
  child.stdin.end(modules.join('\n'))
  t.equal(await textOf(child), '')
})

test('every export of every package resolves in Node', async (t) => {
  const specifiers = installed.flatMap(({ name, exports }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target === 'string' || target['default'] !== undefined)
      .flatMap(([key]) => specifiersOf(name, key))
  )
  t.ok(specifiers.length > 35)
  const script = `for (const name of ${JSON.stringify(specifiers)}) import.meta.resolve(name)`
  t.equal(await runTool(['--input-type=module', '-e', script], app), '')
})

test('what tests of a new plugin import loads with the packages that it declares', async (t) => {
  const kernel = installed.find(({ name }) => name === '@keelson/kernel')
  const kinds = join(kernel?.folder ?? '', 'dist', 'templates')
  const { files } = readJson<{ files: Record<string, string> }>(join(kinds, 'plugin.json'))
  const { devDependencies } = JSON.parse(files['package.json'] ?? '') as { devDependencies: object }
  const ui = installed.find(({ name }) => name === '@keelson/ui')
  const modules = ui?.folder.slice(0, -ui.name.length) ?? ''
  const absent = Object.keys(ui?.peerDependencies ?? {}).filter(
    (name) => !(name in devDependencies)
  )
  t.ok(absent.includes('axe-core'))
  for (const name of absent) renameSync(join(modules, name), join(modules, `${name}-away`))
  const script = "await import('@keelson/ui/testing'); await import('@keelson/sdk/testing')"
  try {
    t.equal(await runTool(['--input-type=module', '-e', script], app), '')
  } finally {
    for (const name of absent) renameSync(join(modules, `${name}-away`), join(modules, name))
  }
})

/** `./contracts/*` stands for a few of its modules. */
function specifiersOf(name: string, key: string): string[] {
  if (!key.includes('*')) return [`${name}${key.slice(1)}`]
  return ['auth-viewer', 'mailer-core'].map((part) => `${name}${key.slice(1).replace('*', part)}`)
}

test('a production host installs at most 125 packages', async (t) => {
  const lock = readJson<Lock>(join(ROOT, 'package-lock.json'))
  const ours = ['kernel', 'telemetry', 'telemetry-dashboard', 'oauth']
  const wanted = [...ours.map((name) => `@keelson/${name}`), 'fastify', 'mongodb']
  const paths = productionInstall(lock, wanted)
  t.ok(paths.length <= 125, `it installs ${paths.length}`)
  const heavy = paths.filter((path) => /local-mongo|lmdb|rolldown|playwright/.test(path))
  t.same(heavy, [], 'neither the engine nor build or test tools')
})

async function textOf(child: ChildProcess): Promise<string> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  await once(child, 'close')
  return text
}

interface Running {
  readonly host: string
  readonly plain: string
  /** Another origin, which may embed pages of the host. */
  readonly admin: string
}

let running: Running = { host: '', plain: '', admin: '' }

test('a host with dashboard, OAuth and its own plugin starts from the packages', async (t) => {
  const admin = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(adminPage(running.host))
  }).listen(0, '127.0.0.1')
  await once(admin, 'listening')
  tap.teardown(() => admin.close())
  const origin = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`
  const script = join(app, 'dist', 'main.js')
  const child = spawn(process.execPath, [script, origin, join(folder, 'data')], { cwd: app })
  const ended = once(child, 'close')
  tap.teardown(async () => {
    child.stdin.end()
    await ended
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(errors)))
  ])) as [Buffer]
  running = { ...JSON.parse(line.toString()), admin: origin }
  const answers = await Promise.all(
    ['/', '/telemetry/events', '/greetings', '/admin/oauth/clients', '/health/ready', '/docs'].map(
      async (path) => [path, (await fetch(`${running.host}${path}`, HTML)).status]
    )
  )
  t.same(
    answers.filter(([, status]) => status !== 200),
    []
  )
  const { plugins } = await answerOf<{ plugins: readonly { readonly state: string }[] }>(
    `${running.host}/health/plugins`
  )
  t.same(new Set(plugins.map(({ state }) => state)), new Set(['ready']))
})

const HTML = { headers: { accept: 'text/html' } }

async function answerOf<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

test('its own route uses the capability of a plugin, and OAuth guards another', async (t) => {
  t.same(await answerOf(`${running.host}/own`), { text: 'Ahoy, host' })
  t.same(await answerOf(`${running.host}/greetings/hello?name=Ada&loud=true`), {
    text: 'AHOY, ADA',
    count: 1
  })
  t.equal((await fetch(`${running.host}/guarded`)).status, 401)
})

/** The addresses of everything that a document of the dashboard names, modules of pages included. */
function filesNamedIn(html: string): readonly string[] {
  const assets = [...html.matchAll(/"(_assets\/[^"]+)"/g)].map(([, name]) => `/telemetry/${name}`)
  const modules = [...html.matchAll(/"module":"([^"]+)"/g)].map(([, address = '']) => address)
  return [...new Set([...assets, ...modules])]
}

test('the factories answer on a plain Fastify app, pages and their files too', async (t) => {
  const shell = await fetch(`${running.plain}/telemetry/events`, HTML)
  t.equal(shell.status, 200)
  const files = filesNamedIn(await shell.text())
  for (const name of ['document', 'icon', 'lit', 'shell', 'telemetry-dashboard.events']) {
    t.ok(
      files.some((address) => new RegExp(`^/telemetry/_assets/${name}[.-]`).test(address)),
      name
    )
  }
  for (const address of files) {
    const { status, headers } = await fetch(running.plain + address)
    t.equal(status, 200, address)
    t.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.match(address, /[.-][0-9a-f]{8,}\.(js|css|svg)$/)
  }
  const { items } = await answerOf<{ items: readonly object[] }>(
    `${running.plain}/telemetry/api/records?name=order.placed`
  )
  t.equal(items.length, 1)
  const metadata = `${running.plain}/.well-known/oauth-authorization-server`
  t.match(await answerOf(metadata), { issuer: 'http://127.0.0.1:3000' })
  t.equal((await fetch(`${running.plain}/api/me`)).status, 401)
})

test('a page from the packages is shown on another origin', browserOptions, async (t) => {
  const { page, faults } = await openPage(t)
  await page.goto(running.admin)
  const row = page.locator('telemetry-dashboard-events tbody tr[data-id]').first()
  await row.waitFor()
  t.same(faults, [])
})

test('a plugin that `keelson create` writes builds and passes its check', async (t) => {
  const bin = join(app, 'node_modules', '@keelson', 'kernel', 'cli', 'keelson.mjs')
  const made = join(app, 'made')
  await runTool([bin, 'create', 'made'], app)
  const { $schema } = readJson<{ $schema: string }>(join(made, 'plugin.json'))
  const schema = $schema.replace('./node_modules', join(app, 'node_modules'))
  t.ok(existsSync(schema), 'the schema it names is in the package')
  await runTool([bin, 'build'], made)
  t.match(await runTool([bin, 'check'], made), /all is well/)
})

function adminPage(host: string): string {
  return `<!doctype html>
<html lang="en">
<title>Admin</title>
<link rel="icon" href="data:,">
<script type="module" src="${host}/embed/telemetry-dashboard/events.js"></script>
<telemetry-dashboard-events api-base="${host}/telemetry"></telemetry-dashboard-events>
</html>`
}
