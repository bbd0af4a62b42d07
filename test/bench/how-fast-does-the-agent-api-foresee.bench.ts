// How long an agent waits for a verification, for all of them, and for a simulation of 90 days × 1,000 contacts.
import { createAgentRouter } from '@keelson/agent'
import { createTestMailer } from '@keelson/mailer'
import Fastify from 'fastify'
import { median, printFigure } from './measure.ts'

const TEMPLATES = Number(process.env['BENCH_TEMPLATES'] ?? 100)
const CONTACTS = Number(process.env['BENCH_CONTACTS'] ?? 1000)
const TOKEN = 'a-token-of-the-benchmark-01'

const contacts = Array.from({ length: CONTACTS }, (_, at) => ({
  externalId: `t${at}`,
  email: `t${at}@example.test`,
  tags: at % 2 === 0 ? ['vip'] : [],
  fields: { firstName: 'Ann' }
}))
const kit = await createTestMailer({
  seedContacts: contacts,
  config: {
    senderDomains: { 'acme.test': { kind: 'both' } },
    contactPolicy: { minGapHours: 12, maxPerRollingDays: { days: 7, count: 3 } }
  }
})
const app = Fastify()
const tokens = [{ token: TOKEN, actor: 'agent:bench' }]
const router = createAgentRouter(kit.mailer, { tokens, testContacts: /@example\.test$/ })
await app.register(router, { prefix: '/agent' })
await app.ready()

async function call(method: 'POST' | 'PUT' | 'PATCH', path: string, payload: object) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const reply = await app.inject({ method, url: `/agent${path}`, headers, payload })
  if (reply.statusCode >= 300) throw new Error(`${path}: ${reply.body.slice(0, 300)}`)
  return reply.json()
}

const paragraph = `<p>Dear {{contact.fields.firstName}}, ${'words of a newsletter. '.repeat(200)}</p>`
const html = `${paragraph.repeat(5)}<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`
for (let at = 0; at < TEMPLATES; at++) {
  const head = { name: `News ${at}`, kind: 'marketing', subject: 'News', fromName: 'Acme' }
  await call('PUT', `/templates/news-${at}`, { ...head, fromEmail: 'a@acme.test', body: { html } })
}
const day = { type: 'wait', value: 1, unit: 'days' }
const steps = Array.from({ length: 25 }, (_, at) => [
  { type: 'send', templateSlug: `news-${at % TEMPLATES}` },
  { ...day, value: 3 }
]).flat()
const trigger = { type: 'event', eventName: 'joined', once: false }
await call('POST', '/api/flows', { slug: 'long', name: 'Long', trigger })
await call('PATCH', '/api/flows/long/draft', { steps })
await call('POST', '/api/flows/long/publish', { enable: false })
const rows = contacts.map(({ externalId, email }) => ({ _id: externalId, externalId, email }))
const { subscriptions } = kit.mailer.collections
await subscriptions.insertMany(
  rows.map((row) => ({ ...row, status: 'subscribed', createdAt: new Date() })) as never
)

interface Cost {
  readonly ms: number
  /** CPU time of this process, without that of the database. */
  readonly cpuMs: number
  /** The longest that the event loop made another request wait. */
  readonly stallMs: number
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  let stallMs = 0
  let last = performance.now()
  const beat = setInterval(() => {
    stallMs = Math.max(stallMs, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  clearInterval(beat)
  const { user, system } = process.cpuUsage(cpuBefore)
  return { ms, cpuMs: (user + system) / 1000, stallMs }
}

/** A ratio of the limit, so that 1 is as slow as it may be. */
function print(name: string, limitMs: number, { ms, cpuMs, stallMs }: Cost): void {
  const shown = `${ms.toFixed(0)} of ${limitMs} ms, CPU ${cpuMs.toFixed(0)} ms`
  printFigure(
    name,
    ms / limitMs,
    { atMost: 1 },
    `${shown}, event loop stalls ${stallMs.toFixed(0)} ms`
  )
}

const one = (at: number) => () =>
  call('POST', `/templates/news-${at % TEMPLATES}/verify`, { contactId: `t${at}` })
await one(0)()
const single: Cost[] = []
for (let at = 1; at <= 21; at++) single.push(await costOf(one(at)))
const middle = (pick: (cost: Cost) => number) => median(single.map(pick))
print('verify, the median of 21 templates', 50, {
  ms: middle(({ ms }) => ms),
  cpuMs: middle(({ cpuMs }) => cpuMs),
  stallMs: middle(({ stallMs }) => stallMs)
})

const contactIds = contacts.slice(0, 10).map(({ externalId }) => externalId)
const verifyAll = () => call('POST', '/templates/verify-all', { contactIds })
print(`verify-all of ${TEMPLATES} templates × 10 contacts`, 10_000, await costOf(verifyAll))

const cohort = contacts.slice(0, 1000).map(({ externalId }) => externalId)
const many = { contactIds: cohort, days: 90, enterOverDays: 30 }
const simulate = () => call('POST', '/flows/long/simulate-many', many)
print(`simulate 90 days × ${cohort.length} contacts`, 20_000, await costOf(simulate))
await app.close()
await kit.stop()
