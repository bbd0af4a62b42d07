// How long each list of the mailer's admin API takes with many mails and contacts on the built-in engine: the
// answer of 19 of 20 calls. SENDS and CONTACTS set how many (default 100,000 and 20,000; the aim is for
// 1,000,000 and 200,000). The CPU time of this process and of the engine is what a quiet machine would take.
import { readFile } from 'node:fs/promises'
import { createMailerAdmin, createMongoContactAdapter, createTestMailer } from '@keelson/mailer'
import { testDatabase } from '@keelson/sdk/testing'
import Fastify from 'fastify'
import { addRecords, rowId } from './mail-records.ts'
import { median, printFigure } from './measure.ts'

const CALLS = 40
/** Of the clock in which Linux counts the CPU time of a process. */
const TICK_MS = 10
const AIM_MS = 50
const sizes = {
  sends: Number(process.env['SENDS'] ?? 100_000),
  contacts: Number(process.env['CONTACTS'] ?? 20_000)
}

const cleanUps: (() => Promise<void> | void)[] = []
const { db } = await testDatabase({ teardown: (end) => void cleanUps.push(end) })
const searchFields = ['email', 'firstName']
const people = { db, collection: 'people', tagsField: 'tags', searchFields }
const adapter = createMongoContactAdapter(people)
for (const field of searchFields) await db.collection('people').createIndex({ [field]: 1, _id: 1 })
const kit = await createTestMailer({ db, adapter })
const seededAt = performance.now()
await addRecords(kit.mailer, sizes)
const { flows, broadcasts } = kit.mailer.collections
const now = new Date()
const trigger = { type: 'event', eventName: 'go', once: false }
await flows.insertOne({
  _id: 'flow',
  slug: 'welcome',
  name: 'Welcome',
  enabled: true,
  trigger,
  steps: [],
  draft: null,
  version: 1,
  createdAt: now,
  updatedAt: now
} as never)
await broadcasts.insertOne({
  _id: 'cast',
  slug: 'cast',
  name: 'Cast',
  templateSlug: 'template-0',
  status: 'sent',
  segmentDefinition: { filters: [] },
  queuedCount: 0,
  respectRecipientTimezone: false,
  stopRules: {
    enabled: true,
    hardBounceRatePct: 2,
    complaintRatePct: 0.1,
    unsubscribeRatePct: 1,
    minSample: 200
  },
  createdBy: 'human:ann@acme.test',
  createdAt: now,
  updatedAt: now
} as never)
console.log(`seeded in ${Math.round((performance.now() - seededAt) / 1000)} s`)

const { pid: enginePid } = await db.command({ serverStatus: 1 })
const app = Fastify()
await app.register(createMailerAdmin(kit.mailer), { prefix: '/admin/mailer' })

async function get(path: string) {
  const reply = await app.inject(`/admin/mailer/api${path}`)
  if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${reply.body}`)
  return reply
}

/** A place in the middle of the mails. */
const middle = Math.floor(sizes.sends / 2)
const send = await kit.mailer.collections.sends.findOne({ _id: rowId(middle) })
const cursor = `${send?.queuedAt.getTime()}.${rowId(middle)}`
const lists = [
  '/dashboard',
  '/sends?limit=50',
  `/sends?limit=50&cursor=${cursor}`,
  '/sends?limit=50&status=bounced',
  '/sends?limit=50&kind=transactional',
  '/sends?limit=50&template=template-3',
  '/sends?limit=50&email=person7@example.test',
  '/sends?limit=50&status=bounced&template=template-3',
  '/sends?limit=50&broadcast=cast',
  '/sends?limit=50&domain=example.test',
  `/sends?limit=50&from=${new Date(Date.now() - 86_400_000).toISOString()}`,
  '/sends/open',
  '/sends/open?broadcast=cast',
  `/sends/${rowId(middle)}`,
  '/contacts?limit=50',
  '/contacts?search=person7@example.test',
  '/contacts?search=person77&limit=50',
  '/contacts?search=Person&limit=50',
  '/contacts?limit=50&state=subscribed',
  '/contacts?limit=50&state=bounced',
  '/contact-list/count?state=subscribed',
  '/contacts/c7',
  '/suppressions?limit=50',
  '/suppressions?limit=50&scope=all&reason=hard_bounce',
  '/audit?limit=50',
  '/audit?limit=50&actor=human:ann@acme.test&action=flow.pause',
  '/audit?limit=50&resource=template-3',
  '/flows',
  '/flows/welcome/runs?limit=50&status=active',
  '/flows/welcome/runs?limit=50&step=3',
  '/templates',
  '/broadcasts?limit=50',
  '/broadcasts/cast',
  '/broadcasts/cast/results',
  '/broadcasts/cast/recipients?limit=50&status=bounced',
  '/flows/welcome/counts',
  '/events'
]

async function took(path: string): Promise<number> {
  const from = performance.now()
  await get(path)
  return performance.now() - from
}

/** CPU time so far of this process and of the engine, in milliseconds. */
async function cpuMs(): Promise<number> {
  const { user, system } = process.cpuUsage()
  const stat = await readFile(`/proc/${enginePid}/stat`, 'utf8').catch(() => '')
  const [, fields = ''] = stat.split(') ')
  const ticks = fields
    .split(' ')
    .slice(11, 13)
    .reduce((sum, text) => sum + Number(text), 0)
  return (user + system) / 1_000 + (ticks || 0) * TICK_MS
}

async function measure(path: string): Promise<void> {
  await took(path)
  const before = await cpuMs()
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) times.push(await took(path))
  const cpu = ((await cpuMs()) - before) / CALLS
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(CALLS * 0.95) - 1] ?? Number.NaN
  const detail = `ms at p95; median ${median(times).toFixed(1)}, CPU ${cpu.toFixed(1)}`
  printFigure(path, p95, { atMost: AIM_MS }, detail)
}

for (const path of lists) await measure(path)

await app.close()
await kit.stop()
for (const end of cleanUps.reverse()) await end()
