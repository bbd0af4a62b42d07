// keelson dev: runs a folder's plugin or platform and starts it again after a change.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Test, test } from 'tap'
import { tally } from '../schedule/testing/queue-bench.ts'
import { readDevProject } from './dev-project.ts'
import { type SuperviseEvent, superviseHost } from './supervise.ts'
import {
  keelson,
  manifestOf,
  platformFolder,
  sourceOf,
  writeFiles
} from './testing/platform-folder.ts'
import { isWatched, watchFolders } from './watch.ts'

const BIN = fileURLToPath(new URL('../../cli/keelson.mjs', import.meta.url))

for (const [path, expected] of [
  ['index.js', true],
  ['pages/main.js', true],
  ['dist/index.js', true],
  ['node_modules/x/index.js', false],
  ['.keelson/data', false],
  ['pages/.main.js.swp', false]
] as const) {
  test(`a change of ${path} ${expected ? 'counts' : 'does not count'}`, async (t) => {
    t.equal(isWatched(path), expected)
  })
}

const { signal } = new AbortController()

test('a change is told, even when it came before it was asked for', async (t) => {
  const folder = t.testdir({ 'a.js': '1' })
  const watcher = watchFolders([folder])
  t.teardown(() => watcher.close())
  const first = watcher.nextChange(signal)
  await writeFile(join(folder, 'a.js'), '2')
  t.equal(await first, 'a.js')
  await writeFile(join(folder, 'b.js'), '3')
  t.equal(await watcher.nextChange(signal), 'b.js')
})

test('waiting for a change can be called off', async (t) => {
  const watcher = watchFolders([t.testdir()])
  t.teardown(() => watcher.close())
  const controller = new AbortController()
  const waiting = watcher.nextChange(controller.signal)
  controller.abort(new Error('enough'))
  await t.rejects(waiting, { message: 'enough' })
  await t.rejects(watcher.nextChange(controller.signal), { message: 'enough' })
})

test('a folder with a plugin.json is run as a platform of that plugin', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, { 'plugin.json': manifestOf('alpha') })
  t.same(await readDevProject({ cwd: folder, env: {} }), {
    config: {
      storage: { dataDir: join(folder, '.keelson') },
      shell: { title: 'The alpha' },
      plugins: { alpha: { package: folder } }
    },
    hasViewers: false,
    watched: [folder]
  })
})

test('a folder with a config is run as that platform, and its plugins are watched', async (t) => {
  const folder = await platformFolder(t, { alpha: { provides: ['auth.viewer/v1'] } })
  t.same(await readDevProject({ cwd: folder, env: {} }), {
    config: join(folder, 'keelson.config.json'),
    hasViewers: true,
    watched: [folder, join(folder, 'plugins/alpha')]
  })
})

test('a folder with neither is refused', async (t) => {
  t.match(await keelson(t.testdir(), ['dev']), { code: 1, stderr: /neither a plugin\.json/ })
})

test('a bad manifest is told', async (t) => {
  const folder = t.testdir({ 'plugin.json': '{}' })
  t.match(await keelson(folder, ['dev']), { code: 1, stderr: /plugin\.json/ })
})

test('an address that others can reach is refused while everybody is an admin', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, { 'plugin.json': manifestOf('alpha') })
  t.match(await keelson(folder, ['dev'], { HOST: '0.0.0.0' }), {
    code: 1,
    stderr: /HOST is 0\.0\.0\.0/
  })
})

/** Supervises a script; `change` lets the next change come. */
function supervise(t: Test, source: string) {
  const folder = t.testdir({ 'host.mjs': source })
  const controller = new AbortController()
  const events = tally<SuperviseEvent>()
  const changes: ((file: string) => void)[] = []
  const over = superviseHost({
    script: join(folder, 'host.mjs'),
    args: [],
    cwd: folder,
    env: process.env,
    signal: controller.signal,
    nextChange: (stop) =>
      new Promise((resolve, reject) => {
        changes.push(resolve)
        stop.addEventListener('abort', () => reject(stop.reason))
      }),
    report: (event) => events.add(event)
  })
  return {
    events,
    over,
    change: (file: string) => changes.at(-1)?.(file),
    stop: () => controller.abort(),
    names: () => events.seen.map((event) => event.event)
  }
}

test('a host is ended and started again after a change, and ended at the end', async (t) => {
  const host = supervise(
    t,
    `process.on('SIGTERM', () => process.exit(0)); process.send({ ready: 'http://here' }); setInterval(() => {}, 1000)`
  )
  await host.events.reached(2)
  host.change('a.js')
  await host.events.reached(6)
  t.same(host.names(), ['starting', 'ready', 'changed', 'ended', 'starting', 'ready'])
  host.stop()
  await host.over
  t.equal(host.events.seen.at(-1)?.exitCode, 0)
})

test('a host that ends by itself waits for a change', async (t) => {
  const host = supervise(t, `process.exit(3)`)
  await host.events.reached(2)
  t.match(host.events.seen.at(-1), { event: 'ended', exitCode: 3, text: /waiting for a change/ })
  host.change('a.js')
  await host.events.reached(4)
  t.same(host.names(), ['starting', 'ended', 'changed', 'starting'])
  await host.events.reached(5)
  host.stop()
  await host.over
})

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('a plugin runs, everybody is an admin, and a change is there after the restart', async (t) => {
  const folder = join(t.testdir(), 'alpha')
  await mkdir(folder)
  const routes = [{ method: 'GET', path: '/word', auth: 'admin', summary: 'A word.' }]
  const source = (word: string) =>
    sourceOf().replace(
      'register() {}',
      `register(host) { host.route({ method: 'GET', path: '/word', handler: async () => ({ word: '${word}' }) }) }`
    )
  await writeFiles(folder, {
    'package.json': { type: 'module' },
    'plugin.json': manifestOf('alpha', { routes }),
    'index.js': source('first')
  })
  const port = await freePort()
  const env = { PATH: process.env['PATH'], PORT: String(port), KEELSON_LOG_LEVEL: 'silent' }
  const child = fork(BIN, ['dev', '--json'], { cwd: folder, env, silent: true })
  const events = tally<{ event: string }>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) events.add(JSON.parse(line))
  })
  const readyAgain = async (times: number) => {
    while (events.seen.filter(({ event }) => event === 'ready').length < times) {
      await events.reached(events.seen.length + 1)
    }
    return (await fetch(`http://127.0.0.1:${port}/alpha/word`)).json()
  }
  t.same(await readyAgain(1), { word: 'first' })
  await writeFile(join(folder, 'index.js'), source('second'))
  t.same(await readyAgain(2), { word: 'second' })
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  t.equal(code, 0)
  t.equal(events.seen.at(-1)?.event, 'ended')
})
