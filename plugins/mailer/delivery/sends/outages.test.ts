// Mails while their provider takes none: they wait, one probes, and all leave once when it is back.
import { type Test, test } from 'tap'
import { readDashboard } from '../../admin/setup/read-dashboard.ts'
import { readSetupStatus } from '../../admin/setup/setup-status.ts'
import { readBroadcast } from '../../campaigns/broadcasts/read-broadcasts.ts'
import { createSendHandler } from '../../campaigns/send-handler.ts'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import type { MailerConfig } from '../../ledger/schema.ts'
import {
  contacts,
  newSend,
  preparedTemplate,
  type RecordingOptions,
  recordingSends
} from '../../test/recording-sends.ts'
import { readOutages } from '../outages/outages.ts'
import { wakeWaiting } from '../outages/wake-waiting.ts'
import { alertOutages, providersHealth } from './alert-outages.ts'
import { queueSends } from './queue-sends.ts'
import { recoverParked } from './recover-parked.ts'

const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

const news = { kind: 'marketing', lane: 'bulk', templateSlug: 'news' } as const

/** A provider that takes mail while `isUp`, and how many calls it got. */
async function open(t: Test, options: RecordingOptions = {}) {
  const state = { isUp: false, fault: refused as () => unknown, calls: 0 }
  const taken: string[] = []
  const opened = await recordingSends(t, {
    answer({ to }) {
      state.calls += 1
      if (!state.isUp) throw state.fault()
      taken.push(to)
    },
    ...options
  })
  const { context, pass, run } = opened
  /** Lets time pass in steps of `step` seconds, with a tick and what is due in each. */
  const live = async (seconds: number, step = 5) => {
    for (let at = 0; at < seconds; at += step) {
      pass(step * 1000)
      await wakeWaiting(context)
      await recoverParked(context)
      await run()
    }
  }
  const outage = async () => (await readOutages(context)).get('recording')
  return { ...opened, state, taken, live, outage }
}

test('mails wait for a provider that is down for 8 minutes, and all leave once, urgent ones first', async (t) => {
  const many = Array.from({ length: 310 }, (_, at) => ({
    externalId: `m${at}`,
    email: `m${at}@example.test`,
    tags: [],
    fields: {}
  }))
  const opened = await open(t, { contacts: [...many, ...contacts] })
  const { context, state, taken, live, run } = opened
  await queueSends(
    context,
    many.map(({ externalId }) => newSend(externalId, news))
  )
  await run()
  await queueSends(
    context,
    ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => newSend(id))
  )
  await run()
  const row = await opened.rowOf('m7')
  t.match(row, { status: 'queued', waitingFor: 'provider', waiting: { provider: 'recording' } })
  t.notOk(row.attempt)
  t.notOk(row.handedAt)
  await live(480)
  t.ok(state.calls < 25, `${state.calls} calls in 8 minutes`)
  t.equal(await context.collections.sends.countDocuments({ waitingFor: 'provider' }), 315)
  state.isUp = true
  await live(360)
  t.equal(taken.length, 315)
  t.equal(new Set(taken).size, 315)
  t.ok(
    taken.slice(0, 5).every((to) => to.startsWith('c')),
    taken.slice(0, 6).join()
  )
  t.equal(await context.collections.sends.countDocuments({ status: 'sent' }), 315)
  const { attempt, waitingFor, waiting, errorMessage } = await opened.rowOf('c1')
  t.same([attempt?.number, waitingFor, waiting, errorMessage], [1, undefined, undefined, undefined])
  await live(600, 60)
  t.equal(await opened.outage(), undefined)
})

test('no process probes while the probe of another one is under way', async (t) => {
  const opened = await open(t)
  const { context, state, pass } = opened
  await queueSends(context, [newSend('c1'), newSend('c2'), newSend('c3')])
  await opened.run()
  t.match(await opened.outage(), { probes: 0, reason: /ECONNREFUSED/ })
  const before = state.calls
  pass(10_000)
  const rows = await context.collections.sends.find().toArray()
  const run = { signal: new AbortController().signal, update: async () => new Set<string>() }
  const items = rows.map((item) => ({ item, attempt: 1 }))
  const holding = { ...run, update: async () => new Set(rows.map(({ _id }) => _id)) }
  await Promise.all(
    [0, 1, 2].map(() => createSendHandler(context).batch(items as never, holding as never))
  )
  t.equal(state.calls - before, 1)
  t.match(await opened.outage(), { probes: 1 })
})

test('what waited longer than the patience ends as provider_unavailable', async (t) => {
  const opened = await open(t, { config: { providerPatienceHours: 1 } })
  await queueSends(opened.context, [newSend('c1'), newSend('c2')])
  await opened.run()
  await opened.live(3_700, 100)
  for (const id of ['c1', 'c2'])
    t.match(await opened.rowOf(id), {
      status: 'failed',
      state: 'done',
      exitReason: 'provider_unavailable'
    })
})

test('a transactional template may wait less long than the others', async (t) => {
  const short = preparedTemplate('code', { providerPatienceHours: 0.5 })
  const templates = {
    load: async () =>
      new Map([
        ['code', short],
        ['notice', preparedTemplate('notice')]
      ])
  }
  const opened = await open(t, { templates, config: { providerPatienceHours: 2 } })
  await queueSends(opened.context, [newSend('c1', { templateSlug: 'code' }), newSend('c2')])
  await opened.run()
  await opened.live(2_400, 100)
  t.match(await opened.rowOf('c1'), { status: 'failed', exitReason: 'provider_unavailable' })
  t.match(await opened.rowOf('c2'), { status: 'queued', waitingFor: 'provider' })
})

test('a refusal of the mail itself spends tries, and begins no outage', async (t) => {
  const opened = await open(t, { config: { sendRetryAttempts: 2 } })
  opened.state.fault = () => Object.assign(new Error('450 greylisted'), { responseCode: 450 })
  await queueSends(opened.context, [newSend('c1')])
  await opened.run()
  t.equal(await opened.outage(), undefined)
  await opened.live(120, 30)
  t.match(await opened.rowOf('c1'), { status: 'failed', exitReason: 'attempts_used_up' })
})

test('a probe whose mail is refused for the mail shows that the provider is back', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [newSend('c1'), newSend('c2')])
  await opened.run()
  opened.state.fault = () => Object.assign(new Error('450 greylisted'), { responseCode: 450 })
  await opened.live(10)
  t.ok((await opened.outage())?.backAt)
})

function second(taken: string[]): MailProvider {
  return {
    name: 'second',
    sendRatePerSecond: 100_000,
    async send({ to }) {
      taken.push(to)
      return { status: 'accepted', providerId: `s${taken.length}` }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => []
  }
}

test('the provider that takes over gets every mail at once', async (t) => {
  const bySecond: string[] = []
  let calls = 0
  const first: MailProvider = {
    ...second([]),
    name: 'recording',
    async send() {
      calls += 1
      throw refused()
    }
  }
  const config: Partial<MailerConfig> = {
    providerFallbacks: { recording: 'second' },
    defaultProvider: 'recording',
    defaultTransactionalProvider: 'recording'
  }
  const opened = await recordingSends(t, {
    config,
    providers: { recording: first, second: second(bySecond) }
  })
  await queueSends(
    opened.context,
    contacts.map(({ externalId }) => newSend(externalId))
  )
  for (let at = 0; at < 3; at += 1) await opened.run()
  t.equal(bySecond.length, contacts.length)
  t.ok(calls <= 5, `${calls} calls of the first one`)
  t.equal((await opened.rowOf('c1')).provider, 'second')
})

test('mails that 20 processes died with, and no provider saw, still leave', async (t) => {
  const opened = await open(t)
  opened.state.isUp = true
  await queueSends(opened.context, [newSend('c1'), newSend('c2', news)])
  const until = opened.context.clock.now()
  await opened.context.collections.sends.updateMany(
    {},
    { $set: { state: 'leased', attempts: 20, lease: 'dead', leaseUntil: until, dueAt: until } }
  )
  await opened.live(180, 30)
  t.equal(opened.taken.length, 2)
})

test('broadcast, dashboard and setup list say how many mails wait for which provider, and why', async (t) => {
  const opened = await open(t)
  const { context } = opened
  const stopRules = { enabled: false }
  const broadcast = {
    _id: 'b1',
    slug: 'spring',
    status: 'sending',
    queuedCount: 2,
    stopRules
  } as never
  await context.collections.broadcasts.insertOne(broadcast)
  await context.collections.subscriptions.insertMany(
    ['c1', 'c2'].map((id) => ({ _id: id, externalId: id, status: 'subscribed' })) as never
  )
  const of = { ...news, broadcastId: 'b1', broadcastSlug: 'spring' }
  await queueSends(context, [newSend('c1', of), newSend('c2', of), newSend('c3')])
  await opened.run()
  const { waiting, statusBreakdown } = (await readBroadcast(context, 'spring')) ?? {}
  t.same(statusBreakdown, { queued: 2 })
  const wait = { reason: 'provider', count: 2, provider: 'recording', since: Date }
  t.match(waiting, [{ ...wait, message: /ECONNREFUSED/ }])
  t.match((await readDashboard(context)).queue, {
    waiting: 3,
    providerOk: false,
    providerName: 'recording',
    providerReason: /ECONNREFUSED/
  })
  const { checks } = await readSetupStatus(context)
  const check = checks.find(({ name }) => name === 'provider_unavailable')
  t.match(check, { severity: 'error', message: /recording/, items: [{ message: /^3 mails wait/ }] })
  opened.state.isUp = true
  await opened.live(30)
  t.same((await readBroadcast(context, 'spring'))?.waiting, [])
  t.equal((await readDashboard(context)).queue.waiting, 0)
})

test('what waits for a provider is found by an index', async (t) => {
  const { context } = await open(t)
  const { sends } = context.collections
  for (const more of [{}, { lane: 'urgent' }, { lane: 'bulk', broadcastId: 'b1' }]) {
    const plan = await sends.find({ 'waiting.provider': 'recording', ...more } as never).explain()
    t.match(JSON.stringify(plan), /"indexName":"waiting"/)
  }
})

test('an outage of five minutes is reported by one mail, and in the health of the plugin', async (t) => {
  const config = {
    alertEmail: 'ops@acme.test',
    fromDefaults: { name: 'Acme', email: 'hello@acme.test' }
  }
  const opened = await open(t, { config })
  const { context, live, state } = opened
  await queueSends(context, [newSend('c1')])
  await opened.run()
  t.match(await providersHealth(context), {
    state: 'degraded',
    reason: /recording since .*ECONNREFUSED/
  })
  await alertOutages(context)
  t.equal(await context.collections.sends.countDocuments({ operatorMail: { $exists: true } }), 0)
  await live(300)
  await alertOutages(context)
  await alertOutages(context)
  const rows = await context.collections.sends.find({ operatorMail: { $exists: true } }).toArray()
  t.match(rows, [{ operatorMail: { to: 'ops@acme.test', subject: /recording takes no mail/ } }])
  state.isUp = true
  await live(600)
  t.equal(await context.collections.sends.countDocuments({ status: 'sent' }), 2)
  t.same(await providersHealth(context), { state: 'ok' })
})
