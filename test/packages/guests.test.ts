// The packages in other people's hands: an app that has everything already, and plugins from create to a host.
// Runs beside the others: it waits for much of its time.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import tap, { type Test, test } from 'tap'
import { ROOT } from '../hosts/processes.ts'
import { installPackages, linkInto, runTool } from './install.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'keelson-guests-'))
tap.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
const installed = await installPackages(folder)
const ours = installed.map(({ name }) => name)

/** An empty folder with packages in it. */
function appFolder(name: string, others: readonly string[]): string {
  const app = join(folder, name)
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  linkInto(app, [...ours, 'fastify', 'mongodb', ...others], installed)
  return app
}

/** Runs a program that prints its address, and ends with its input; `stop` answers its exit code. */
async function started(t: Test, script: string, cwd: string) {
  const child = spawn(process.execPath, [script], { cwd })
  const ended = once(child, 'close')
  const stop = async (): Promise<number> => {
    child.stdin.end()
    const [code] = await ended
    return code
  }
  t.teardown(stop)
  const errors = textOf(child)
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(errors())))
  ])) as [Buffer]
  return { url: line.toString().trim(), stop }
}

function textOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return () => text
}

const statesOf = async (url: string) =>
  (
    (await (await fetch(`${url}/health/plugins`)).json()) as {
      readonly plugins: readonly { readonly id: string; readonly state: string }[]
    }
  ).plugins.map(({ id, state }) => [id, state])

const USED = [
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/helmet',
  '@fastify/passport',
  '@fastify/session',
  '@fastify/swagger',
  'fastify-metrics'
]

test('an app with sign-in, helmet, cors, swagger, metrics and own handlers takes the platform in', async (t) => {
  const app = appFolder('existing', USED)
  cpSync(join(ROOT, 'test', 'packages', 'existing-app.mjs'), join(app, 'server.mjs'))
  const { url, stop } = await started(t, 'server.mjs', app)
  const answer = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(url + path, init)
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
  const entered = await answer('/enter', { method: 'POST' })
  const cookie = String(entered.headers.get('set-cookie')).split(';', 1)[0] ?? ''
  const signedIn = { headers: { cookie } }
  t.same(await statesOf(`${url}/platform`), [
    ['telemetry', 'ready'],
    ['telemetry-dashboard', 'ready']
  ])

  // What the app had is as it was.
  t.match(await answer('/'), { status: 200, text: 'the shop' })
  t.match(await answer('/health'), { status: 200, text: 'of the shop' })
  t.match(await answer('/metrics'), { status: 200, text: /http_request_duration_seconds/ })
  t.match(await answer('/none'), { status: 404, text: 'no such page of the shop' })
  t.match(await answer('/fails'), { status: 500, text: 'the shop is sorry' })
  const { paths } = JSON.parse((await answer('/docs.json')).text) as { paths: object }
  t.same(
    Object.keys(paths).filter((path) => path.includes('telemetry')),
    [],
    'its API document is about it alone'
  )

  // One sign-in for shell and API, which passport restores late.
  t.equal((await answer('/platform/telemetry/api/registry')).status, 401)
  t.equal((await answer('/platform/telemetry/api/registry', signedIn)).status, 200)
  t.match((await answer('/platform/shell/nav', signedIn)).text, /telemetry/)
  const page = await answer('/platform/telemetry/events', {
    headers: { ...signedIn.headers, accept: 'text/html' }
  })
  t.match(page, { status: 200, text: /<title>Events/ })

  // Each answers its own preflights.
  const preflight = (path: string, origin: string) =>
    answer(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' }
    })
  const own = await preflight('/orders', 'https://partner.example')
  t.equal(own.headers.get('access-control-allow-origin'), 'https://partner.example')
  const view = await preflight('/platform/telemetry/api/views', 'https://admin.example')
  t.equal(view.headers.get('access-control-allow-origin'), 'https://admin.example')
  t.match(view.headers.get('access-control-allow-methods'), /POST/)
  t.equal(await stop(), 0)
})

test('a plugin that is installed and not named in the config is listed as off, and enabled there', async (t) => {
  const app = appFolder('installed', [])
  const dependencies = { '@keelson/platform': '*', '@keelson/telemetry': '*', fastify: '*' }
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  const config = { storage: { dataDir: 'data' }, plugins: { platform: {} } }
  writeFileSync(join(app, 'keelson.config.json'), JSON.stringify(config))
  writeFileSync(
    join(app, 'server.mjs'),
    `import keelson from '@keelson/kernel'
import Fastify from 'fastify'
const app = Fastify()
const resolveViewer = () => ({ tenantId: '*', role: 'admin', viewerRef: 'user:u1' })
await app.register(keelson, { config: 'keelson.config.json', resolveViewer })
process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdin.resume().once('end', () => app.close())
`
  )
  const first = await started(t, 'server.mjs', app)
  const api = `${first.url}/platform/api/plugins`
  const { plugins } = (await (await fetch(api)).json()) as {
    readonly plugins: readonly { readonly id: string; readonly enabled: boolean }[]
  }
  t.same(
    plugins.map(({ id, enabled }) => [id, enabled]),
    [
      ['platform', true],
      ['telemetry', false]
    ],
    'the other packages in the folder are no dependencies of the app'
  )
  const headers = { origin: first.url }
  const enabled = await fetch(`${api}/telemetry/enable`, { method: 'POST', headers })
  t.match(await enabled.json(), { changed: true, revision: { plugin: 'telemetry' } })
  t.equal(await first.stop(), 0)
  const second = await started(t, 'server.mjs', app)
  t.same((await statesOf(second.url)).toSorted(), [
    ['platform', 'ready'],
    ['telemetry', 'ready']
  ])
  t.equal(await second.stop(), 0)
})

for (const kind of ['plugin', 'job', 'deliverability', 'provider', 'telemetry']) {
  test(`a plugin of the kind ${kind} goes from create to a tarball to a host`, async (t) => {
    const work = appFolder(`work-${kind}`, ['lit', 'undici', '@types/node'])
    const bin = join(work, 'node_modules', '@keelson', 'kernel', 'cli', 'keelson.mjs')
    await runTool([bin, 'create', 'my-plugin', '--kind', kind], work)
    const plugin = join(work, 'my-plugin')
    await runTool([bin, 'build'], plugin)
    t.match(await runTool([bin, 'check', '--start'], plugin), /all is well/)
    await run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: plugin })
    const [tarball = ''] = readdirSync(plugin).filter((name) => name.endsWith('.tgz'))
    t.match(await runTool([bin, 'check', tarball], plugin), /all is well/)

    const host = appFolder(`host-${kind}`, [])
    const target = join(host, 'node_modules', 'my-plugin')
    mkdirSync(target, { recursive: true })
    await run('tar', ['-xzf', join(plugin, tarball), '-C', target, '--strip-components=1'])
    writeFileSync(
      join(host, 'keelson.config.json'),
      JSON.stringify({ storage: { dataDir: 'data' }, plugins: { 'my-plugin': {} } })
    )
    writeFileSync(
      join(host, 'server.mjs'),
      `import keelson from '@keelson/kernel'
import Fastify from 'fastify'
const app = Fastify()
await app.register(keelson, { config: 'keelson.config.json', resolveViewer: () => null })
process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdin.resume().once('end', () => app.close())
`
    )
    const { url, stop } = await started(t, 'server.mjs', host)
    t.match(await statesOf(url), [['my-plugin', /ready|degraded/]])
    t.equal(await stop(), 0)
  })
}
