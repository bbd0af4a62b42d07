// keelson serve as processes: settings that change while requests come, starts that fail, processes that are killed.
// Runs beside the others: it waits for much of its time.
import { readFile, rm, writeFile } from 'node:fs/promises'
import tap, { test } from 'tap'
import { listRevisions } from '../changes/revisions.ts'
import { keelson } from '../cli/testing/platform-folder.ts'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from '../storage/connect.ts'
import { servedFolder, startServe, storageOf } from './testing/served-platform.ts'

tap.jobs = 4

/** Calls again and again until `end`; then says what failed. */
function callersOf({ get }: Pick<Awaited<ReturnType<typeof startServe>>, 'get'>, paths: string[]) {
  let isOver = false
  const failed: unknown[] = []
  const call = async (path: string): Promise<number> => {
    let count = 0
    for (; !isOver; count++) {
      await get(path).then(
        ({ status }) => status === 200 || failed.push(status),
        (error) => failed.push(error.cause ?? error)
      )
    }
    return count
  }
  const calling = paths.map(call)
  return {
    async end() {
      isOver = true
      return { counts: await Promise.all(calling), failed }
    }
  }
}

const newestOf = async (folder: string) => {
  const storage = await connectStorage(await storageOf(folder), { baseDir: folder, log: silentLog })
  const [newest] = await listRevisions(storage.db, 1)
  await storage.close()
  return newest
}

test('a plugin is enabled and disabled while requests go on, and none fails', async (t) => {
  const folder = await servedFolder(t)
  const host = await startServe(t, folder)
  const first = await host.reached('serving')
  t.equal((await host.get('/beta/ping')).status, 503)
  const callers = callersOf(host, ['/alpha/ping', '/alpha/ping', '/slow?ms=20'])
  const slow = host.get('/slow?ms=6000')
  t.match(await keelson(folder, ['enable', 'beta', '--json']), { code: 0, json: { enabled: true } })
  const second = await host.reached('serving', 2)
  t.not(second.pid, first.pid)
  t.equal(await host.until('/beta/ping', 200), 200)
  t.same((await slow).json, { pid: first.pid }, 'a request in hand is finished')
  t.match(await host.reached('ended'), { pid: first.pid })
  t.equal((await keelson(folder, ['disable', 'beta'])).code, 0)
  await host.reached('ended', 2)
  const { counts, failed } = await callers.end()
  t.ok(counts.every((count) => count > 10))
  t.same(failed, [])
  t.equal((await host.get('/beta/ping')).status, 503)
  t.match(await newestOf(folder), { plugin: 'beta', action: 'disable', state: 'applied' })
  t.equal(await host.stop(), 0)
})

test('a start that fails leaves the process before, and says why', async (t) => {
  const folder = await servedFolder(t)
  const host = await startServe(t, folder)
  const first = await host.reached('serving')
  const callers = callersOf(host, ['/alpha/ping'])
  await keelson(folder, ['enable', 'broken'])
  t.match(await host.reached('failed'), { code: 'KRN_REGISTER_FAILED', message: /no luck/ })
  t.same((await host.get('/pid')).json, { pid: first.pid })
  // A crash now starts with the settings that are good, and not with the failed ones.
  t.same((await callers.end()).failed, [])
  process.kill(first.pid, 'SIGKILL')
  t.not((await host.reached('serving', 2)).pid, first.pid)
  t.match(await newestOf(folder), {
    plugin: 'broken',
    state: 'failed',
    failure: { code: 'KRN_REGISTER_FAILED', plugin: 'broken' }
  })
})

test('a first start with settings that fail falls back to those before', async (t) => {
  const folder = await servedFolder(t)
  await keelson(folder, ['enable', 'broken'])
  const host = await startServe(t, folder)
  await host.reached('serving')
  t.equal(await host.until('/alpha/ping', 200), 200)
  t.match(host.stderr(), /were not started.*no luck/)
  t.match(await keelson(folder, ['enable', 'beta']), { code: 0 })
  t.equal(await host.until('/beta/ping', 200), 200, 'the next change is without the failed one')
})

test('a first start that fails without settings ends with its exit code', async (t) => {
  const folder = await servedFolder(t, { 'plugins/alpha/index.js': 'throw new Error("no code")' })
  const host = await startServe(t, folder)
  t.match(await host.reached('failed'), { message: /no code/ })
  t.equal(await host.exitCode(), 1)
})

test('a process that is killed while another starts is replaced by that one', async (t) => {
  const folder = await servedFolder(t)
  const host = await startServe(t, folder)
  const first = await host.reached('serving')
  await keelson(folder, ['enable', 'beta'])
  const next = await host.reached('starting', 2)
  process.kill(first.pid, 'SIGKILL')
  t.equal((await host.reached('serving', 2)).pid, next.pid)
  t.equal(await host.until('/beta/ping', 200), 200)
  t.equal(await host.stop(), 0)
})

test('a process that is killed before it serves is a start that failed', async (t) => {
  const folder = await servedFolder(t)
  const host = await startServe(t, folder)
  const first = await host.reached('serving')
  await keelson(folder, ['enable', 'beta'])
  const next = await host.reached('starting', 2)
  process.kill(next.pid, 'SIGKILL')
  t.match(await host.reached('failed'), { pid: next.pid, code: 'KRN_WORKER_ENDED' })
  t.same((await host.get('/pid')).json, { pid: first.pid })
})

test('a process that dies is started until it serves, also where the first try fails', async (t) => {
  const code = `import { existsSync } from 'node:fs'
    if (existsSync(new URL('./down', import.meta.url))) throw new Error('down')
    ${await readFile(`${await servedFolder(t)}/plugins/alpha/index.js`, 'utf8')}`
  const folder = await servedFolder(t, { 'plugins/alpha/index.js': code })
  const host = await startServe(t, folder)
  const { pid } = await host.reached('serving')
  await writeFile(`${folder}/plugins/alpha/down`, '')
  process.kill(pid, 'SIGKILL')
  t.match(await host.reached('failed'), { message: /down/ })
  await rm(`${folder}/plugins/alpha/down`)
  await host.reached('serving', 2)
  t.equal(await host.until('/alpha/ping', 200), 200)
})

test('two supervisors on one database apply the same change', async (t) => {
  const folder = await servedFolder(t)
  const hosts = await Promise.all([startServe(t, folder), startServe(t, folder)])
  await Promise.all(hosts.map(({ reached }) => reached('serving')))
  await keelson(folder, ['enable', 'beta'])
  const served = hosts.map(({ until }) => until('/beta/ping', 200))
  t.same(await Promise.all(served), [200, 200])
})

test('a stop ends every process within its bound, also while one is replaced', async (t) => {
  const folder = await servedFolder(t)
  const host = await startServe(t, folder)
  const first = await host.reached('serving')
  const hanging = host.get('/slow?ms=60000').catch(() => 'cut')
  await keelson(folder, ['enable', 'beta'])
  const second = await host.reached('serving', 2)
  t.equal(await host.stop(), 0)
  t.equal(await hanging, 'cut')
  for (const { pid } of [first, second]) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})
