// The mailer as a whole over the admin API: the pause of marketing mail, providers, settings, categories.
import { type Test, test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'

const MINUTE = 60_000
const people = ['c1', 'c2', 'c3'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [],
  fields: {}
}))

async function open(t: Test) {
  const kit = await openAdmin(t, { getActor: () => 'human:ann' }, people)
  const { call, mailer, clock } = kit
  for (const { externalId } of people) await mailer.upsertSubscription({ externalId, source: 't' })
  for (const [slug, kind] of [
    ['news', 'marketing'],
    ['notice', 'transactional']
  ] as const) {
    await call('POST', '/templates', { slug, name: slug, kind })
    const html = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
    await call('PATCH', `/templates/${slug}/draft`, { subject: slug, html })
    t.equal((await call('POST', `/templates/${slug}/publish`)).status, 200)
  }
  const schedule = async (slug: string) => {
    const segmentDefinition = { filters: [] }
    await call('POST', '/broadcasts', { slug, name: slug, templateSlug: 'news', segmentDefinition })
    const body = { scheduledAt: clock.now().toISOString(), confirmedCount: people.length }
    t.equal((await call('POST', `/broadcasts/${slug}/schedule`, body)).status, 200)
  }
  const mail = (templateSlug: string, dedupeKey: string) =>
    mailer.sendOneOff({ templateSlug, externalId: 'c1', dedupeKey })
  return { ...kit, schedule, mail }
}

test('a pause holds all marketing mail, names its reason, and each mail leaves once after it', async (t) => {
  const { call, drain, schedule, mail, provider, clock } = await open(t)
  await schedule('before')
  await drain({ dispatch: false })
  const reason = 'A wrong price.'
  const put = await call('POST', '/pause', { reason })
  t.match(put, { status: 200, body: { pause: { reason, by: 'human:ann', at: String } } })
  t.match(await call('POST', '/pause', { reason }), {
    status: 409,
    body: { error: 'already_paused' }
  })
  await schedule('after')
  for (const slug of ['news', 'notice']) await mail(slug, slug)
  await drain()
  t.same(
    provider.sent.map(({ subject }) => subject),
    ['notice'],
    'transactional mail leaves'
  )
  const why = { message: `All marketing mail was paused by human:ann: ${reason}` }
  const held = (await call('GET', '/sends?status=held')).body
  t.ok(held.length > 0)
  const ofNews = held.find((send: { readonly broadcastId?: string }) => !send.broadcastId)
  t.match(ofNews, { hold: { cause: 'marketing_paused', ...why } })
  for (const slug of ['before', 'after'])
    t.match((await call('GET', `/broadcasts/${slug}`)).body, {
      status: 'paused',
      pauseReason: { cause: 'marketing_paused', ...why }
    })
  t.match((await call('GET', '/dashboard')).body, { pause: { reason } })
  const { checks } = (await call('GET', '/setup-status')).body
  t.match(
    checks.find(({ name }: { readonly name: string }) => name === 'marketing_pause'),
    { severity: 'warn', message: /A wrong price/ }
  )
  t.same((await call('DELETE', '/pause')).body, { pause: null })
  t.match(await call('DELETE', '/pause'), { status: 409, body: { error: 'not_paused' } })
  await clock.advance(MINUTE)
  await drain()
  t.equal(provider.sent.length, 2 + 2 * people.length)
  await clock.advance(MINUTE)
  await drain()
  t.equal(provider.sent.length, 2 + 2 * people.length)
  t.match((await call('GET', '/audit?resource=marketing-pause')).body, [
    { action: 'marketing.resume', before: { reason }, ip: '127.0.0.1' },
    { action: 'marketing.pause', after: { reason }, requestId: String }
  ])
})

test('a pause that a person put on one broadcast stays when the pause of all ends', async (t) => {
  const { call, drain, schedule, provider } = await open(t)
  await schedule('cast')
  await call('POST', '/broadcasts/cast/pause', { reason: 'Wait.' })
  await call('POST', '/pause', { reason: 'All.' })
  await call('DELETE', '/pause')
  await drain()
  t.match((await call('GET', '/broadcasts/cast')).body, {
    status: 'paused',
    pauseReason: { message: 'Wait.' }
  })
  t.equal(provider.sent.length, 0)
})

test('a broadcast that was left paused when the pause ended goes on with the next tick', async (t) => {
  const { call, drain, schedule, provider, mailer } = await open(t)
  await schedule('cast')
  await call('POST', '/pause', { reason: 'All.' })
  // As when the process dies before it resumes broadcasts.
  await mailer.collections.state.deleteOne({ _id: 'marketing-pause' })
  await drain()
  t.equal(provider.sent.length, people.length)
})

test('a pause needs a reason and the permission', async (t) => {
  const { call } = await open(t)
  t.match(await call('POST', '/pause', {}), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'reason' }] }
  })
  t.same((await call('GET', '/pause')).body, { pause: null })
  const reader = await openAdmin(t, { permissions: () => ({ canPublish: true }) })
  for (const method of ['POST', 'DELETE'] as const)
    t.equal((await reader.call(method, '/pause', { reason: 'No.' })).status, 403)
})

test('the dashboard shows the latest mails and flows in lines, without what is stored of them', async (t) => {
  const { call, mailer } = await open(t)
  const attachments = [{ filename: 'bill', contentType: 'text/plain', content: Buffer.from('1') }]
  const mail = { templateSlug: 'notice', externalId: 'c1', dedupeKey: 'one' }
  await mailer.sendOneOff({ ...mail, attachments })
  await call('POST', '/flows', { slug: 'hello', name: 'Hello', trigger: { eventName: 'opened' } })
  await call('PATCH', '/flows/hello/draft', { steps: [{ type: 'exit' }] })
  await call('POST', '/flows/hello/publish', {})
  const { recentSends, recentFlows } = (await call('GET', '/dashboard')).body
  t.same(Object.keys(recentSends[0]).sort(), [
    ...['_id', 'emailAtSend', 'externalId', 'names', 'queuedAt', 'status', 'templateSlug']
  ])
  t.same(Object.keys(recentFlows[0]).sort(), ['name', 'slug', 'updatedAt', 'version'])
})

test('providers show what they can do and what they did', async (t) => {
  const { call, drain, mail } = await open(t)
  await mail('notice', 'one')
  await drain()
  await drain()
  const { body } = await call('GET', '/providers')
  t.match(body, [
    {
      name: 'recording',
      isDefault: true,
      isDefaultTransactional: true,
      fallback: null,
      canLookUp: false,
      webhookPath: '/m/webhooks/recording',
      sent: 1,
      failed: 0,
      lastSentAt: String,
      lastFailedAt: null
    }
  ])
})

test('settings are shown with their defaults, and no secret is among them', async (t) => {
  const { call } = await open(t)
  const { body } = await call('GET', '/settings')
  const byName = new Map(
    body.map((one: { readonly name: string; readonly value: unknown }) => [one.name, one.value])
  )
  t.equal(byName.get('sendConcurrency'), 5)
  t.same(byName.get('fromDefaults'), { name: 'Test', email: 'test@example.test' })
  t.equal(byName.get('warmUp'), null)
  t.notOk(byName.has('unsubscribeSecret'))
  t.notMatch(JSON.stringify(body), /the secret of a test mailer/)
})

test('categories show their templates and opt-outs', async (t) => {
  const config = { categories: [{ id: 'product.news', label: 'Product news' }] }
  const { call, mailer } = await openAdmin(t, {}, people, config)
  t.equal(
    (
      await call('POST', '/templates', {
        slug: 'news',
        name: 'News',
        kind: 'marketing',
        category: 'product.news'
      })
    ).status,
    201
  )
  await mailer.collections.suppressions.insertOne({
    _id: 'h:category:product.news',
    scope: 'category:product.news'
  } as never)
  t.same((await call('GET', '/categories')).body, [
    { id: 'product.news', label: 'Product news', templates: ['news'], optOuts: 1 }
  ])
})
