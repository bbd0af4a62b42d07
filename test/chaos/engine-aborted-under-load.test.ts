// The engine is aborted three times under ingest and a broadcast: rows and mails are there once, hosts come back.
// Runs beside the others: it waits for much of its time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newRecordId } from '@keelson/telemetry'
import { type Test, test } from 'tap'
import { openIngestClient } from '../hosts/ingest-client.ts'
import { type MailSink, openMailSink } from '../hosts/mail-sink.ts'
import {
  forkHost,
  freePort,
  type HostProcess,
  servingPid,
  startEngine,
  until
} from '../hosts/processes.ts'
import { readiness } from '../hosts/requests.ts'

const LANES = 6
const BATCH = 20
const RECIPIENTS = 500
const ABORTS = 3
/** About a second on a machine with nothing else to do; other tests run beside this one. */
const READY_WITHIN_MS = 30_000
/** Between two aborts so many mails arrive and so many rows are acknowledged. */
const MAILS_BETWEEN = 60
const ROWS_BETWEEN = 10 * BATCH
/** Mails whose connection was lost wait for seconds, and the lease of mails in hand lasts a minute. */
const SETTLED_WITHIN_MS = 120_000
const options = { timeout: 300_000 }

interface Stage {
  readonly dataDir: string
  readonly sink: MailSink
  readonly hosts: Hosts
}
type Hosts = readonly [HostProcess, ...HostProcess[]]

test('a host whose own engine is aborted loses and doubles nothing', options, async (t) => {
  const { dataDir, sink } = await openFolder(t)
  await abortUnderLoad(t, { dataDir, sink, hosts: [await startHost(t, sink, { dataDir })] })
})

test(
  'a host on a stand-alone engine that is aborted loses and doubles nothing',
  options,
  async (t) => {
    const { dataDir, sink } = await openFolder(t)
    const storage = { uri: await startStandAlone(t, dataDir) }
    await abortUnderLoad(t, { dataDir, sink, hosts: [await startHost(t, sink, storage)] })
  }
)

test('two hosts on one engine that is aborted lose and double nothing', options, async (t) => {
  const { dataDir, sink } = await openFolder(t)
  const storage = { uri: await startStandAlone(t, dataDir) }
  const first = await startHost(t, sink, storage)
  await abortUnderLoad(t, { dataDir, sink, hosts: [first, await startHost(t, sink, storage)] })
})

async function openFolder(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-chaos-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 }))
  const sink = await openMailSink()
  t.teardown(() => void sink.child.kill())
  return { dataDir, sink }
}

async function startStandAlone(t: Test, dataDir: string): Promise<string> {
  const engine = await startEngine(dataDir, await freePort())
  t.teardown(() => engine.kill())
  return engine.uri
}

async function startHost(t: Test, sink: MailSink, storage: object): Promise<HostProcess> {
  const host = await forkHost('mailing-host', { storage, smtp: sink.url, recipients: RECIPIENTS })
  t.teardown(() => host.kill())
  return host
}

async function abortUnderLoad(t: Test, stage: Stage): Promise<void> {
  const { sink, hosts } = stage
  const [first] = hosts
  const ingest = await startIngest(t, hosts)
  await call(first, 'POST', '/broadcast')
  for (let count = 1; count <= ABORTS; count++) {
    const [mails, rows] = [(await sink.taken()) + MAILS_BETWEEN, ingest.marks.size + ROWS_BETWEEN]
    await until('rows and mails', 30_000, async () =>
      (await sink.taken()) >= mails && ingest.marks.size >= rows ? true : undefined
    )
    const startedAt = performance.now()
    await abortEngine(stage, ingest.marks)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    t.pass(`after end ${count} every host is ready again, ${seconds} s later`)
  }
  await ingest.stop()
  await checkRows(t, first, ingest.marks)
  await checkMails(t, first, sink)
  for (const host of hosts) {
    t.equal(host.child.exitCode, null, 'the host has lived through it')
    t.notMatch(host.text(), /unhandled|uncaught/i)
    t.equal(await host.stop(), 0)
  }
}

/** Six lanes over all hosts, as a client of telemetry sends: each batch again until it is taken. */
async function startIngest(t: Test, hosts: Hosts) {
  const { key } = await call<{ key: string }>(hosts[0], 'POST', '/key')
  const clients = hosts.map(({ url }) => openIngestClient(url, key))
  const marks = new Set<string>()
  let isOver = false
  const lane = async (number: number) => {
    for (let at = 0; !isOver; at++) {
      const mine = Array.from({ length: BATCH }, (_, index) => `${number}-${at}-${index}`)
      await clients[number % clients.length]?.send(mine.map(recordOf))
      for (const mark of mine) marks.add(mark)
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  // When the test has failed, its hosts end before their lanes do.
  lanes.catch(() => {})
  t.teardown(() => {
    isOver = true
  })
  return {
    /** Of acknowledged rows. */
    marks,
    async stop() {
      isOver = true
      await lanes
      for (const client of clients) await client.close()
    }
  }
}

function recordOf(mark: string): object {
  const now = Date.now()
  return {
    _id: newRecordId(now),
    name: 'page.viewed',
    occurredAt: now,
    attrs: { mark, source: 'ads' }
  }
}

/** Resolves when another engine serves, every host says that it is ready, and rows are acknowledged again. */
async function abortEngine({ dataDir, hosts }: Stage, marks: ReadonlySet<string>): Promise<void> {
  const pid = await servingPid(dataDir)
  process.kill(Number(pid), 'SIGABRT')
  let before: number | undefined
  await until('readiness of every host', READY_WITHIN_MS, async () => {
    if ((await servingPid(dataDir)) === pid) return undefined
    // None is acknowledged between two engines.
    before ??= marks.size
    const statuses = await Promise.all(hosts.map(({ url }) => readiness(url)))
    const isReady = statuses.every((status) => status === 200)
    return isReady && marks.size > before ? true : undefined
  })
}

async function checkRows(t: Test, host: HostProcess, marks: ReadonlySet<string>): Promise<void> {
  const rows = await call<{ marks: [string, number][]; counted: number }>(host, 'GET', '/rows')
  const found = new Map(rows.marks)
  t.same(
    [...marks].filter((mark) => !found.has(mark)),
    [],
    'every acknowledged row is there'
  )
  t.same(
    rows.marks.filter(([, count]) => count !== 1),
    [],
    'no row is there twice'
  )
  t.equal(rows.counted, found.size, 'the rollups count each row once')
}

interface Ledger {
  readonly broadcast: string
  readonly mails: readonly (readonly [address: string, status: string])[]
}

/** As the mailer promises: no mail twice, and one without a known outcome is listed as unknown. */
async function checkMails(t: Test, host: HostProcess, sink: MailSink): Promise<void> {
  const { mails } = await until('the end of the broadcast', SETTLED_WITHIN_MS, async () => {
    const ledger = await call<Ledger>(host, 'GET', '/mails')
    return ledger.broadcast === 'sent' ? ledger : undefined
  })
  const delivered = await sink.addresses()
  const arrived = new Set(delivered)
  t.equal(arrived.size, delivered.length, 'no mail arrives twice')
  t.equal(mails.length, RECIPIENTS)
  const statusOf = new Map(mails)
  t.same(
    [...statusOf.values()].filter((status) => !['sent', 'unknown'].includes(status)),
    [],
    'every mail is sent, or listed as unknown'
  )
  t.same(
    mails.filter(([address, status]) => status === 'sent' && !arrived.has(address)),
    [],
    'a mail that is sent has arrived'
  )
  t.same(
    delivered.filter((address) => !statusOf.has(address)),
    []
  )
  t.comment(`${mails.filter(([, status]) => status === 'unknown').length} unknown`)
}

async function call<T>(host: HostProcess, method: 'GET' | 'POST', path: string): Promise<T> {
  const response = await fetch(`${host.url}/recording${path}`, { method })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`)
  return body as T
}
