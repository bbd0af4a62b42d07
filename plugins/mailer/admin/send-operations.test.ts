// Mails that are sent again or resolved over the admin API, one and many: only as many as were counted, and nobody twice.
// Runs beside the others: it waits for much of its time.
import { type Test, test } from 'tap'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import { openAdmin } from '../test/open-admin.ts'

const people = Array.from({ length: 6 }, (_, at) => ({
  externalId: `c${at}`,
  email: `c${at}@example.test`,
  tags: [],
  fields: {}
}))

/** A mailer whose provider does with each mail what `state.how` says. */
async function open(t: Test) {
  const taken: string[] = []
  const state = { how: 'accept' as 'accept' | 'fail' | 'perhaps' | 'down' }
  const flaky: MailProvider = {
    name: 'flaky',
    sendRatePerSecond: 100_000,
    async send({ to }) {
      if (state.how === 'fail') throw Object.assign(new Error('450 no'), { responseCode: 450 })
      if (state.how === 'down')
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      if (state.how === 'perhaps') return { status: 'unknown', reason: 'no answer' }
      taken.push(to)
      return { status: 'accepted', providerId: `p${taken.length}` }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => []
  }
  const config = { providers: { flaky }, defaultProvider: 'flaky', sendRetryAttempts: 1 }
  const kit = await openAdmin(t, { getActor: () => 'human:check' }, people, config)
  const { call, mailer } = kit
  for (const { externalId } of people) await mailer.upsertSubscription({ externalId, source: 't' })
  for (const [slug, kind] of [
    ['news', 'marketing'],
    ['notice', 'transactional']
  ]) {
    await call('POST', '/templates', { slug, name: slug, kind })
    const html = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
    await call('PATCH', `/templates/${slug}/draft`, { subject: slug, html })
    await call('POST', `/templates/${slug}/publish`)
  }
  const notify = (externalId: string) =>
    mailer.sendOneOff({ templateSlug: 'notice', externalId, dedupeKey: `n:${externalId}` })
  const statuses = async () =>
    (await call('GET', '/sends')).body.map(({ status }: { readonly status: string }) => status)
  return { ...kit, state, taken, notify, statuses }
}

/** A broadcast to all, whose mails all failed. */
async function failedBroadcast(t: Test) {
  const kit = await open(t)
  const { call, drain, state, clock } = kit
  const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
  await call('POST', '/broadcasts', {
    slug: 'cast',
    name: 'Cast',
    templateSlug: 'news',
    segmentDefinition
  })
  state.how = 'fail'
  const scheduledAt = clock.now().toISOString()
  await call('POST', '/broadcasts/cast/schedule', { scheduledAt, confirmedCount: 6 })
  await drain()
  t.match((await call('GET', '/broadcasts/cast')).body, { status: 'sent', retryable: 6 })
  return kit
}

test('the failed mails of a broadcast are sent again, in the same broadcast, once each', async (t) => {
  const { call, drain, state, taken, mailer } = await failedBroadcast(t)
  state.how = 'accept'
  const retry = (confirmedCount: number) =>
    call('POST', '/broadcasts/cast/retry', { confirmedCount })
  const wrong = { status: 409, body: { error: 'count_mismatch', expected: 6 } }
  t.match(await retry(5), wrong)
  t.match(await retry(6), { status: 200, body: { status: 'sending', retriedSends: 6 } })
  t.match(await retry(6), { status: 409, body: { expected: 0 } })
  await drain()
  t.same(
    taken.toSorted(),
    people.map(({ email }) => email)
  )
  const { body } = await call('GET', '/broadcasts/cast')
  t.match(body, { status: 'sent', retryable: 0, statusBreakdown: { sent: 6 }, queuedCount: 6 })
  t.equal(await mailer.collections.sends.countDocuments(), 6)
  t.match((await call('GET', '/audit?action=broadcast.retry')).body, [{ actor: 'human:check' }])
})

test('a retried mail has all its tries again', async (t) => {
  const { call, drain, state, mailer } = await failedBroadcast(t)
  await call('POST', '/broadcasts/cast/retry', { confirmedCount: 6 })
  await drain()
  t.match((await call('GET', '/broadcasts/cast')).body, { status: 'sent', retryable: 6 })
  const row = await mailer.collections.sends.findOne({ externalId: 'c1' })
  t.match(row, { attempt: { number: 2 }, retried: { attempts: 1 } })
  state.how = 'accept'
})

test('a broadcast that is paused, cancelled or a draft is not retried', async (t) => {
  const { call } = await failedBroadcast(t)
  await call('POST', '/broadcasts/cast/duplicate', { slug: 'copy' })
  t.match(await call('POST', '/broadcasts/copy/retry', { confirmedCount: 0 }), {
    status: 409,
    body: { error: 'not_retryable' }
  })
  t.equal((await call('POST', '/broadcasts/none/retry', { confirmedCount: 0 })).status, 404)
  t.equal((await call('POST', '/broadcasts/cast/retry', {})).status, 400)
})

test('failed mails are retried by a filter, and only as many as were counted', async (t) => {
  const { call, drain, state, taken, notify } = await failedBroadcast(t)
  await notify('c1')
  await notify('c2')
  await drain()
  t.same((await call('GET', '/sends/open?kind=transactional')).body, { failed: 2, unknown: 0 })
  t.same((await call('GET', '/sends/open?broadcast=cast')).body, { failed: 6, unknown: 0 })
  t.same((await call('GET', '/sends/open?email=C1@example.test')).body, { failed: 2, unknown: 0 })
  t.same((await call('GET', '/sends/open?broadcast=none')).body, { failed: 0, unknown: 0 })
  state.how = 'accept'
  const retry = (confirmedCount: number) =>
    call('POST', '/sends/retry', { filter: { kind: 'transactional' }, confirmedCount })
  t.match(await retry(8), { status: 409, body: { error: 'count_mismatch', expected: 2 } })
  t.match(await retry(2), { status: 200, body: { ok: true, retried: 2 } })
  await drain()
  t.same(taken.toSorted(), ['c1@example.test', 'c2@example.test'])
  t.match((await call('GET', '/audit?action=sends.retry')).body, [{ actor: 'human:check' }])
  const odd = await call('POST', '/sends/retry', { filter: { colour: 'red' }, confirmedCount: 2 })
  t.equal(odd.status, 400)
})

for (const [as, status] of [
  ['sent', 'sent'],
  ['not_sent', 'failed'],
  ['resend', 'queued']
] as const) {
  test(`unknown mails are resolved as ${as} by a filter`, async (t) => {
    const { call, drain, state, notify, statuses } = await open(t)
    state.how = 'perhaps'
    for (const id of ['c1', 'c2', 'c3']) await notify(id)
    await drain()
    t.same((await call('GET', '/sends/open')).body, { failed: 0, unknown: 3 })
    const { checks } = (await call('GET', '/setup-status')).body
    t.match(
      checks.find(({ name }: { readonly name: string }) => name === 'unknown_sends'),
      { severity: 'warn', message: /3 mails/, href: '/admin/mailer/sends?status=unknown' }
    )
    const filter = { template: 'notice' }
    const resolve = (confirmedCount: number) =>
      call('POST', '/sends/resolve', { filter, as, confirmedCount })
    t.match(await resolve(2), { status: 409, body: { error: 'count_mismatch', expected: 3 } })
    t.match(await resolve(3), { status: 200, body: { ok: true, resolved: 3 } })
    t.same(await statuses(), [status, status, status])
  })
}

test('sending a failed mail again sends that mail, once per key', async (t) => {
  const { call, drain, state, taken, notify } = await open(t)
  state.how = 'fail'
  const { sendId } = await notify('c1')
  await drain()
  state.how = 'accept'
  const again = () => call('POST', `/sends/${sendId}/resend`, { key: 'click' })
  t.match(await again(), { status: 200, body: { sendId } })
  await drain()
  t.match(await again(), { status: 200, body: { sendId } })
  await drain()
  t.same(taken, ['c1@example.test'])
})

test('sending again a mail that waits for its provider delivers one', async (t) => {
  const { call, drain, state, taken, notify, mailer } = await open(t)
  state.how = 'down'
  const { sendId } = await notify('c1')
  await drain()
  t.match(await mailer.collections.sends.findOne(), { waitingFor: 'provider' })
  const again = () => call('POST', `/sends/${sendId}/resend`, {})
  t.match(await again(), { status: 200, body: { sendId } })
  await drain()
  t.match(await mailer.collections.sends.findOne(), { waitingFor: 'provider' })
  state.how = 'accept'
  t.match(await again(), { status: 200, body: { sendId } })
  await drain()
  t.same(taken, ['c1@example.test'])
  t.equal(await mailer.collections.sends.countDocuments(), 1)
})
