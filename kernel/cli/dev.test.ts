// The parts of keelson dev: watching folders, and starting a host again after a change.
import { execFile } from 'node:child_process'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Test, test } from 'tap'
import { tally } from '../schedule/testing/queue-bench.ts'
import { type SuperviseEvent, type SuperviseOptions, superviseHost } from './supervise.ts'
import { keelson, manifestOf, writeFiles } from './testing/platform-folder.ts'
import { isWatched, watchFolders } from './watch.ts'

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

test('where dev builds, a change of dist is a result and does not count', async (t) => {
  t.equal(isWatched('dist/index.js', true), false)
  t.equal(isWatched('custom-elements.json', true), false)
  t.equal(isWatched('pages/dist/index.ts', true), true)
})

const { signal } = new AbortController()

test('a change is reported, even when it came before the call', async (t) => {
  const folder = t.testdir({ 'a.js': '1' })
  const watcher = watchFolders([{ path: folder, isBuilt: false }])
  t.teardown(() => watcher.close())
  const first = watcher.nextChange(signal)
  await writeFile(join(folder, 'a.js'), '2')
  t.equal(await first, 'a.js')
  await writeFile(join(folder, 'b.js'), '3')
  t.equal(await watcher.nextChange(signal), 'b.js')
})

test('a change in a folder that came later is reported, one in node_modules is not', async (t) => {
  const folder = t.testdir({ node_modules: { 'a.js': '1' } })
  const watcher = watchFolders([{ path: folder, isBuilt: false }])
  t.teardown(() => watcher.close())
  const first = watcher.nextChange(signal)
  await mkdir(join(folder, 'pages'))
  t.equal(await first, 'pages')
  const second = watcher.nextChange(signal)
  await writeFile(join(folder, 'node_modules', 'a.js'), '2')
  await writeFile(join(folder, 'pages', 'a.js'), '1')
  t.equal(await second, join('pages', 'a.js'))
})

test('what a running host writes, and what the .gitignore leaves out, restarts nothing', async (t) => {
  const folder = t.testdir({ '.gitignore': 'reports/\n', reports: {}, dist: {} })
  const watcher = watchFolders([{ path: folder, isBuilt: false }])
  t.teardown(() => watcher.close())
  const next = watcher.nextChange(signal)
  for (const name of ['dev.log', 'output', 'dump.bin', 'reports/a.json']) {
    await writeFile(join(folder, name), '1')
  }
  await writeFile(join(folder, 'index.ts'), '1')
  t.equal(await next, 'index.ts')
  const built = watcher.nextChange(signal)
  await writeFile(join(folder, 'dist', 'index.js'), '1')
  t.equal(await built, join('dist', 'index.js'))
})

test('a folder that was replaced is still watched', async (t) => {
  const folder = t.testdir({ pages: { 'a.js': '1' } })
  const watcher = watchFolders([{ path: folder, isBuilt: false }])
  t.teardown(() => watcher.close())
  const replaced = watcher.nextChange(signal)
  await rename(join(folder, 'pages'), join(folder, 'old'))
  await mkdir(join(folder, 'pages'))
  t.equal(await replaced, 'pages')
  const next = watcher.nextChange(signal)
  await writeFile(join(folder, 'pages', 'b.js'), '1')
  t.equal(await next, join('pages', 'b.js'))
})

test('a folder that comes and goes while it is read is still watched', async (t) => {
  const folder = t.testdir({ pages: { a: { b: {} } } })
  const watcher = watchFolders([{ path: folder, isBuilt: false }])
  t.teardown(() => watcher.close())
  // In another process: this one reads the folder meanwhile.
  const script = `const { mkdirSync, rmSync } = require('node:fs')
    for (let i = 0; i < 500; i++) {
      rmSync('pages', { recursive: true })
      mkdirSync('pages/a/b', { recursive: true })
    }`
  await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder })
  t.match(await watcher.nextChange(signal), /^pages/)
  const next = watcher.nextChange(signal)
  await writeFile(join(folder, 'pages', 'last.js'), '1')
  t.equal(await next, join('pages', 'last.js'))
})

test('waiting for a change can be aborted', async (t) => {
  const watcher = watchFolders([{ path: t.testdir(), isBuilt: false }])
  t.teardown(() => watcher.close())
  const controller = new AbortController()
  const waiting = watcher.nextChange(controller.signal)
  controller.abort(new Error('enough'))
  await t.rejects(waiting, { message: 'enough' })
  await t.rejects(watcher.nextChange(controller.signal), { message: 'enough' })
})

test('a folder with neither is refused', async (t) => {
  t.match(await keelson(t.testdir(), ['dev']), { code: 1, stderr: /neither a plugin\.json/ })
})

test('an invalid manifest is refused', async (t) => {
  const folder = t.testdir({ 'plugin.json': '{}' })
  t.match(await keelson(folder, ['dev']), { code: 1, stderr: /plugin\.json/ })
})

test('an address that others can reach is refused while every visitor is signed in', async (t) => {
  const folder = t.testdir()
  await writeFiles(folder, { 'plugin.json': manifestOf('alpha') })
  t.match(await keelson(folder, ['dev'], { HOST: '0.0.0.0' }), {
    code: 1,
    stderr: /HOST is 0\.0\.0\.0/
  })
})

/** Supervises a script; `change` lets the next change come. */
function supervise(t: Test, source: string, more: Partial<SuperviseOptions> = {}) {
  const folder = t.testdir({ 'host.mjs': source })
  const controller = new AbortController()
  const events = tally<SuperviseEvent>()
  const changes = tally<(file: string) => void>()
  const over = superviseHost({
    script: join(folder, 'host.mjs'),
    args: [],
    cwd: folder,
    env: process.env,
    signal: controller.signal,
    nextChange: (stop) =>
      new Promise((resolve, reject) => {
        changes.add(resolve)
        stop.addEventListener('abort', () => reject(stop.reason))
      }),
    report: (event) => events.add(event),
    ...more
  })
  return {
    events,
    over,
    isWaiting: () => changes.reached(1),
    change: (file: string) => changes.seen.at(-1)?.(file),
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

test('a host whose build fails starts with the change that mends it', async (t) => {
  const results = [false, true]
  const host = supervise(t, `process.send({ ready: 'http://here' }); setInterval(() => {}, 1000)`, {
    prepare: async (report) => {
      const isGood = results.shift() ?? true
      report({ event: isGood ? 'built' : 'failed', text: 'a build' })
      return isGood
    }
  })
  await host.events.reached(1)
  t.same(host.names(), ['failed'], 'nothing was started')
  await host.isWaiting()
  host.change('a.ts')
  await host.events.reached(5)
  t.same(host.names(), ['failed', 'changed', 'built', 'starting', 'ready'])
  host.stop()
  await host.over
})

test('why a host did not start is reported before its end', async (t) => {
  const host = supervise(
    t,
    `process.send({ failed: { code: 'KRN_X', text: 'It has no token.' } }, () => process.exit(1))`
  )
  await host.events.reached(3)
  t.match(host.events.seen, [
    { event: 'starting' },
    { event: 'failed', code: 'KRN_X', text: 'It has no token.' },
    { event: 'ended', exitCode: 1 }
  ])
  host.stop()
  await host.over
})
