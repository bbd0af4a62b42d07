// Broadcasts over the agent API: subscribed contacts alone, exact counts, caps, test mails.
import { test } from 'tap'
import { type AgentApp, agentApp, receipt } from './agent-app.ts'

const subscribed = { kind: 'subscriptionStatus', equals: 'subscribed' }
const beta = { kind: 'hasTag', tag: 'beta' }
const soon = () => new Date().toISOString()

async function newsApp(
  t: Parameters<typeof agentApp>[0],
  options?: Parameters<typeof agentApp>[1]
) {
  const app = await agentApp(t, options)
  const { mailer, call } = app
  const html = '<p>News, in words enough for a mail. {{contact.email}}</p>'
  const links = '<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
  await call('PUT', '/templates/news', receipt({ kind: 'marketing', body: { html: html + links } }))
  await call('PUT', '/templates/receipt', receipt())
  for (const externalId of ['t1', 't2', 'p1']) {
    await mailer.resubscribe({ externalId, source: 'test', scope: 'all' })
  }
  return app
}

const draft = (slug: string, filters: readonly object[], more: object = {}) => ({
  slug,
  name: slug,
  templateSlug: 'news',
  segmentDefinition: { filters },
  ...more
})

/** Ticks until the broadcast is in a status. */
async function untilStatus({ call, drain }: AgentApp, slug: string, status: string) {
  await drain()
  const { body } = await call('GET', `/broadcasts/${slug}`)
  if (body.broadcast.status !== status) throw new Error(JSON.stringify(body.broadcast))
  return body
}

test('a segment must ask for subscribed contacts at its top level, in drafts and changes', async (t) => {
  const { call } = await newsApp(t)
  const refused = { status: 422, body: { error: 'segment_requires_subscribed', fix: String } }
  const inside = { kind: 'any', filters: [subscribed, beta] }
  for (const filters of [[], [beta], [inside], [{ kind: 'not', filter: subscribed }]]) {
    t.match(await call('POST', '/broadcasts', draft('a', filters)), refused)
  }
  t.equal((await call('POST', '/broadcasts', draft('a', [subscribed]))).status, 201)
  const wider = { segmentDefinition: { filters: [beta] } }
  t.match(await call('PATCH', '/broadcasts/a', wider), refused)
  const nonsense = draft('b', [subscribed, { kind: 'nonsense' }])
  t.match(await call('POST', '/broadcasts', nonsense), { body: { error: 'invalid_segment' } })
  const transactional = draft('b', [subscribed], { templateSlug: 'receipt' })
  t.match(await call('POST', '/broadcasts', transactional), {
    status: 409,
    body: { error: 'template_not_marketing' }
  })
  t.match(await call('POST', '/broadcasts', draft('a', [subscribed])), {
    status: 409,
    body: { error: 'slug_taken' }
  })
})

test('a draft of an administrator is scheduled only if it mails subscribed contacts alone', async (t) => {
  const { call, mailer } = await newsApp(t)
  await call('POST', '/broadcasts', draft('a', [subscribed]))
  const { broadcasts } = mailer.getRunnerContext().collections
  await broadcasts.updateOne({ slug: 'a' }, { $set: { segmentDefinition: { filters: [] } } })
  t.match(
    await call('POST', '/broadcasts/a/schedule', { scheduledAt: soon(), confirmedCount: 3 }),
    { status: 422, body: { error: 'segment_requires_subscribed' } }
  )
})

test('a broadcast goes out in waves, each with the count of its moment', async (t) => {
  const app = await newsApp(t)
  const { call, provider } = app
  await call('POST', '/broadcasts', draft('wave', [subscribed], { recipientCap: 2 }))
  t.match((await call('POST', '/broadcasts/wave/count', {})).body, {
    recipientCount: 2,
    uncappedRecipientCount: 3,
    heldSends: 0
  })
  const schedule = (confirmedCount: number) =>
    call('POST', '/broadcasts/wave/schedule', { scheduledAt: soon(), confirmedCount })
  t.match(await schedule(3), { status: 409, body: { error: 'count_mismatch', expected: 2 } })
  t.match(await schedule(2), { status: 200, body: { broadcast: { status: 'scheduled' } } })
  t.match(await untilStatus(app, 'wave', 'paused'), {
    broadcast: { pauseReason: { code: 'cap_reached' } },
    capProgress: { recipientCap: 2, sendsSoFar: 2, remaining: 0 },
    stopRules: { enabled: true }
  })
  const resume = (body: object) => call('POST', '/broadcasts/wave/resume', body)
  t.match(await resume({ confirmedCount: 0 }), { status: 409, body: { error: 'cap_not_raised' } })
  t.match(await resume({ confirmedCount: 2, recipientCap: null }), {
    body: { error: 'count_mismatch', expected: 1 }
  })
  t.equal((await resume({ confirmedCount: 1, recipientCap: null })).status, 200)
  t.match(await untilStatus(app, 'wave', 'sent'), { stats: { total: 3 } })
  t.equal(new Set(provider.sent.map(({ to }) => to)).size, 3)
  t.match((await call('GET', '/broadcasts')).body, [{ slug: 'wave' }])
})

test('the next wave of a planned broadcast leaves before its time when an agent asks, once', async (t) => {
  const app = await newsApp(t)
  const { call, provider } = app
  const wavePlan = { people: 2, everyMinutes: 60 }
  t.equal(
    (await call('POST', '/broadcasts', draft('tide', [subscribed], { wavePlan }))).status,
    201
  )
  const next = () => call('POST', '/broadcasts/tide/next-wave')
  t.match(await next(), { status: 409, body: { error: 'no_wave_waits' } })
  const schedule = { scheduledAt: soon(), confirmedCount: 3 }
  t.equal((await call('POST', '/broadcasts/tide/schedule', schedule)).status, 200)
  await untilStatus(app, 'tide', 'sending')
  t.equal(provider.sent.length, 2)
  t.equal((await next()).status, 200)
  t.match(await untilStatus(app, 'tide', 'sent'), { stats: { total: 3 } })
  t.equal(new Set(provider.sent.map(({ to }) => to)).size, 3)
  t.match(await next(), { status: 409, body: { error: 'no_wave_waits' } })
})

test('failed mails of a broadcast, and those that a filter selects, are sent again as counted', async (t) => {
  const app = await newsApp(t)
  const { call, mailer, provider } = app
  await call('POST', '/broadcasts', draft('back', [subscribed]))
  const retry = (confirmedCount: number) =>
    call('POST', '/broadcasts/back/retry', { confirmedCount })
  t.match(await retry(0), { status: 409, body: { error: 'not_retryable' } })
  const schedule = { scheduledAt: soon(), confirmedCount: 3 }
  t.equal((await call('POST', '/broadcasts/back/schedule', schedule)).status, 200)
  t.match(await untilStatus(app, 'back', 'sent'), { retryable: 0, waiting: [] })
  const { sends } = mailer.getRunnerContext().collections
  const failed = {
    handoff: 'failed',
    status: 'failed',
    exitReason: 'provider_unavailable'
  } as const
  const [first, second] = await sends.find().sort({ _id: 1 }).toArray()
  await sends.updateOne({ _id: first?._id ?? '' }, { $set: failed })
  t.match(await retry(2), { status: 409, body: { error: 'count_mismatch', expected: 1 } })
  t.match(await retry(1), { body: { broadcast: { status: 'sending' }, retriedSends: 1 } })
  await untilStatus(app, 'back', 'sent')
  t.equal(provider.sent.length, 4)
  const unknown = { handoff: 'unknown', status: 'unknown' } as const
  await sends.updateOne({ _id: first?._id ?? '' }, { $set: unknown })
  await sends.updateOne({ _id: second?._id ?? '' }, { $set: failed })
  const filter = { broadcast: 'back' }
  t.same((await call('GET', '/sends/open?broadcast=back')).body, { failed: 1, unknown: 1 })
  const act = (path: string, more: object) => call('POST', `/sends/${path}`, { filter, ...more })
  t.match(await act('retry', { confirmedCount: 2 }), { status: 409, body: { expected: 1 } })
  t.match(await act('retry', { confirmedCount: 1 }), { status: 200, body: { retried: 1 } })
  const resolved = await act('resolve', { as: 'sent', confirmedCount: 1 })
  t.match(resolved, { status: 200, body: { resolved: 1 } })
})

test('a tripped circuit breaker does not let a broadcast go on', async (t) => {
  const health = { status: 'tripped', rates: null, thresholds: {} } as never
  const { call } = await newsApp(t, { health: async () => health })
  await call('POST', '/broadcasts', draft('a', [subscribed]))
  t.match(await call('POST', '/broadcasts/a/resume', { confirmedCount: 0 }), {
    status: 409,
    body: { error: 'circuit_breaker_tripped' }
  })
})

test('test mails of a broadcast go to 1 to 10 test contacts, or to none of those named', async (t) => {
  const { call, provider } = await newsApp(t)
  await call('POST', '/broadcasts', draft('a', [subscribed]))
  const send = (contactIds: unknown) => call('POST', '/broadcasts/a/test-send', { contactIds })
  t.match(await send(['t1', 'p1']), { status: 403, body: { error: 'not_a_test_contact' } })
  for (const wrong of [[], 't1', Array.from({ length: 11 }, (_, n) => `t${n}`)]) {
    t.match(await send(wrong), { status: 400, body: { error: 'validation_failed' } })
  }
  t.equal(provider.sent.length, 0)
  t.match(await send(['t1', 't2']), {
    status: 201,
    body: {
      templateSlug: 'news',
      dispatched: true,
      sends: [{ status: 'sent' }, { status: 'sent' }]
    }
  })
  t.equal(provider.sent.length, 2)
})

test('a broadcast is cancelled in the name of the token, and changes as a draft alone', async (t) => {
  const { call } = await newsApp(t)
  await call('POST', '/broadcasts', draft('later', [subscribed]))
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  await call('POST', '/broadcasts/later/schedule', { scheduledAt, confirmedCount: 3 })
  t.match(await call('PATCH', '/broadcasts/later', { name: 'x' }), {
    status: 409,
    body: { error: 'not_draft' }
  })
  t.match(await call('POST', '/broadcasts/later/pause', {}), {
    body: { broadcast: { status: 'paused' } }
  })
  t.match(await call('POST', '/broadcasts/later/cancel', {}), {
    status: 200,
    body: { broadcast: { status: 'cancelled' }, cancelledSends: 0 }
  })
  t.match((await call('GET', '/api/audit?action=broadcast.cancel')).body, [{ actor: 'agent:test' }])
  t.match(await call('GET', '/broadcasts/none'), {
    status: 404,
    body: { error: 'broadcast_not_found' }
  })
})
