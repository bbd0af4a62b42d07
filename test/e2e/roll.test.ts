// A roll of host processes from one version of a packed plugin to the next, and back, while requests come.
// Runs beside the others: it waits for much of its time.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUri } from '@keelson/sdk/testing'
import { MongoClient } from 'mongodb'
import { type Test, test } from 'tap'
import { forkHost, type HostProcess, ROOT } from '../hosts/processes.ts'

const run = promisify(execFile)

/** What changes from one version to the next. */
const KEYS = { '1.0.0': { day: 1 }, '2.0.0': { day: 1, of: 1 }, '2.1.0': { day: 1, of: 1 } }
type Version = keyof typeof KEYS

const manifestOf = (version: Version) => ({
  manifestVersion: 1,
  id: 'days',
  name: 'Days',
  version,
  kernel: '^1.0.0',
  description: 'Writes days, and reads them by their index.',
  license: 'MIT',
  main: './index.js',
  routes: [
    { method: 'POST', path: '/:day', auth: 'public', summary: 'Writes a day.' },
    { method: 'GET', path: '/:day', auth: 'public', summary: 'Reads a day.' }
  ],
  collections: [{ name: 'days', indexes: [{ name: 'by_day', keys: KEYS[version] }] }]
})

const SOURCE = `import { readFileSync } from 'node:fs'
import { definePlugin } from '@keelson/sdk'
const manifest = JSON.parse(readFileSync(new URL('./plugin.json', import.meta.url), 'utf8'))
export default definePlugin({ manifest, register(host) {
  const days = host.collection('days')
  const dayOf = (request) => Number(request.params.day)
  host.route({ method: 'POST', path: '/:day', handler: async (request) => {
    await days.insertOne({ _id: request.params.day, day: dayOf(request), of: 'a' })
    return { ok: true }
  } })
  host.route({ method: 'GET', path: '/:day', handler: async (request) => {
    const found = await days.find({ day: dayOf(request) }).toArray()
    const plan = JSON.stringify(await days.find({ day: dayOf(request) }).explain('queryPlanner'))
    return { count: found.length, isServed: plan.includes('IXSCAN') }
  } })
} })
`

/** Packs a version by npm and unpacks it where packages of the workspace are found. */
async function packed(place: string, version: Version): Promise<string> {
  const source = join(place, `source-${version}`)
  const folder = join(place, version)
  await mkdir(source)
  await mkdir(folder)
  const files = {
    'package.json': JSON.stringify({ name: 'days', version, type: 'module', license: 'MIT' }),
    'plugin.json': JSON.stringify(manifestOf(version)),
    'index.js': SOURCE
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(source, name), text)
  await run('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: source })
  const tarball = join(source, `days-${version}.tgz`)
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  return folder
}

/** The request that is on its way: a proxy lets it end before it stops the process that has it. */
interface InHand {
  request: Promise<unknown>
}

/** Requests one after the other, to the hosts in turn, as a proxy sends them. */
function traffic(hosts: readonly HostProcess[], inHand: InHand) {
  const faults: string[] = []
  let written = 0
  let isOver = false
  let asked = 0
  const ask = async (method: string, day: number) => {
    const { url } = hosts[asked++ % hosts.length] ?? { url: '' }
    const asking = fetch(`${url}/days/${day}`, { method }).catch((error: Error) => error)
    inHand.request = asking
    const answer = await asking
    if (answer instanceof Error || answer.status !== 200) {
      faults.push(`${method} ${answer instanceof Error ? answer.message : answer.status}`)
      return undefined
    }
    return (await answer.json()) as { readonly count?: number; readonly isServed?: boolean }
  }
  const over = (async () => {
    for (let day = 0; !isOver; day++) {
      if ((await ask('POST', day)) !== undefined) written++
      const read = await ask('GET', day)
      if (read !== undefined && read.count !== 1) faults.push(`day ${day}: ${read.count} rows`)
      if (read?.isServed === false) faults.push(`day ${day} was read without an index`)
    }
  })()
  return {
    faults,
    async end() {
      isOver = true
      await over
      return written
    }
  }
}

async function platform(t: Test) {
  const place = await mkdtemp(join(tmpdir(), 'keelson-roll-'))
  await symlink(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  const storage = { uri: await databaseUri(), database: `roll_${randomUUID().slice(0, 8)}` }
  const client = await new MongoClient(storage.uri).connect()
  const db = client.db(storage.database)
  const hosts: HostProcess[] = []
  t.teardown(async () => {
    await Promise.all(hosts.map((host) => host.kill()))
    await db.dropDatabase()
    await client.close()
    await rm(place, { recursive: true, force: true })
  })
  const folders = new Map<Version, string>()
  for (const version of Object.keys(KEYS) as Version[]) {
    folders.set(version, await packed(place, version))
  }
  const start = async (version: Version) => {
    hosts.push(await forkHost('rolling-host', { storage, folder: folders.get(version) }))
  }
  const inHand: InHand = { request: Promise.resolve() }
  /** The proxy forgets a process before it is stopped. */
  const stopOldest = async () => {
    const oldest = hosts.shift()
    await inHand.request
    t.equal(await oldest?.stop(), 0)
  }
  const indexes = async () =>
    (await db.collection('days').indexes())
      .filter(({ name }) => name !== '_id_')
      .map(({ name, hidden }) => `${name?.replace(/~.*/, '~')}${hidden === true ? ' hidden' : ''}`)
      .sort()
  return { hosts, inHand, db, start, stopOldest, indexes, folders, storage, place }
}

test('processes roll from v1 to v2 and back, and no request fails', async (t) => {
  const { hosts, inHand, db, start, stopOldest, indexes } = await platform(t)
  await start('1.0.0')
  await start('1.0.0')
  const requests = traffic(hosts, inHand)
  await start('2.0.0')
  t.same(await indexes(), ['by_day hidden', 'by_day~'], 'the new one is built, the old one stays')
  await stopOldest()
  // A process of the old version that crashed is started again in the middle of the roll.
  await start('1.0.0')
  t.same(await indexes(), ['by_day', 'by_day~'], 'it takes nothing back that the newer has made')
  await start('2.0.0')
  for (let stopped = 0; stopped < 3; stopped++) await stopOldest()
  const rolled = await indexes()
  t.match(rolled, /by_day~/)
  await start('1.0.0')
  await start('1.0.0')
  await stopOldest()
  t.same(await indexes(), ['by_day', 'by_day~'], 'both versions are served after the way back')
  const written = await requests.end()
  t.same(requests.faults, [])
  t.ok(written > 0)
  t.equal(await db.collection('days').countDocuments(), written, 'no write is lost or doubled')
})

test('the plan of an older version says what it leaves, and the version after drops the old index', async (t) => {
  const { start, stopOldest, indexes, folders, storage, place } = await platform(t)
  for (const version of ['1.0.0', '2.0.0'] as const) {
    await start(version)
    await stopOldest()
  }
  const plugins = { days: { package: folders.get('1.0.0') } }
  await writeFile(join(place, 'keelson.config.json'), JSON.stringify({ storage, plugins }))
  const bin = join(ROOT, 'kernel', 'cli', 'keelson.mjs')
  const { stdout } = await run(process.execPath, [bin, 'plan'], { cwd: place })
  t.match(stdout, /Of a newer version, not taken back:\n\s+days: as days 2\.0\.0 has made it/)
  await start('2.1.0')
  t.same(await indexes(), ['by_day~'])
})
