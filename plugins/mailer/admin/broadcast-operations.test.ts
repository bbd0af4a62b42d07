// Broadcasts over the admin API: two editors, waves, a split test, what became of each recipient.
// Runs beside the others: it waits for much of its time.
import { type Test, test } from 'tap'
import { openAdmin } from '../test/open-admin.ts'
import { recorded } from '../test/sent-mail.ts'

const contacts = (length: number) =>
  Array.from({ length }, (_, at) => ({
    externalId: `c${at}`,
    email: `c${at}@example.test`,
    tags: [],
    fields: {}
  }))
const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
const cast = { slug: 'cast', name: 'Cast', templateSlug: 'news', segmentDefinition }

async function open(t: Test, count = 9) {
  const people = contacts(count)
  const kit = await openAdmin(t, { getActor: () => 'human:check' }, people)
  const { call, mailer } = kit
  for (const { externalId } of people) await mailer.upsertSubscription({ externalId, source: 't' })
  for (const slug of ['news', 'other']) {
    await call('POST', '/templates', { slug, name: slug, kind: 'marketing' })
    const html = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
    await call('PATCH', `/templates/${slug}/draft`, { subject: slug, html })
    t.equal((await call('POST', `/templates/${slug}/publish`)).status, 200)
  }
  const schedule = async (slug: string, more: object = {}) => {
    const { recipientCount } = (await call('POST', `/broadcasts/${slug}/segment/count`, {})).body
    const scheduledAt = kit.clock.now().toISOString()
    const body = { scheduledAt, confirmedCount: recipientCount, ...more }
    return call('POST', `/broadcasts/${slug}/schedule`, body)
  }
  return { ...kit, schedule }
}

test('two editors never overwrite a broadcast silently, and none schedules what they did not see', async (t) => {
  const { call, schedule } = await open(t)
  await call('POST', '/broadcasts', cast)
  const etag = (await call('GET', '/broadcasts/cast')).headers['etag']
  const edit = (name: string, tag: unknown) =>
    call('PATCH', '/broadcasts/cast', { name }, { 'if-match': tag })
  const first = await edit('First', etag)
  t.match(first, { status: 200, body: { name: 'First' }, headers: { etag: '"1"' } })
  t.match(await edit('Second', etag), { status: 409, body: { error: 'draft_conflict' } })
  t.equal((await call('GET', '/broadcasts/cast')).body.name, 'First')
  const { recipientCount } = (await call('POST', '/broadcasts/cast/segment/count', {})).body
  const body = { scheduledAt: new Date().toISOString(), confirmedCount: recipientCount }
  const stale = { 'if-match': etag }
  t.match(await call('POST', '/broadcasts/cast/schedule', body, stale), {
    status: 409,
    body: { error: 'draft_conflict' }
  })
  t.match(await schedule('cast', { confirmedCount: 1 }), {
    status: 409,
    body: { error: 'count_mismatch', expected: 9 }
  })
  t.equal((await schedule('cast')).status, 200)
})

test('a broadcast goes out in waves, and its recipients are listed page by page', async (t) => {
  const { call, drain, schedule, provider } = await open(t)
  await call('POST', '/broadcasts', { ...cast, recipientCap: 5 })
  t.equal((await schedule('cast')).status, 200)
  await drain()
  t.equal(provider.sent.length, 5)
  const paused = { status: 'paused', pauseReason: { code: 'cap_reached' } }
  t.match((await call('GET', '/broadcasts/cast')).body, paused)
  const resume = { recipientCap: null, confirmedCount: 4 }
  t.match(await call('POST', '/broadcasts/cast/resume', { ...resume, confirmedCount: 3 }), {
    status: 409,
    body: { error: 'count_mismatch', expected: 4 }
  })
  t.equal((await call('POST', '/broadcasts/cast/resume', resume)).status, 200)
  await drain()
  t.equal(provider.sent.length, 9)
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await call('GET', `/broadcasts/cast/recipients?limit=4${cursor}`)
    seen.push(...page.body.map(({ externalId }: { readonly externalId: string }) => externalId))
    const next = page.headers['x-next-cursor']
    cursor = next === undefined ? '' : `&cursor=${next}`
  } while (cursor !== '')
  t.same(
    seen,
    contacts(9).map(({ externalId }) => externalId)
  )
  t.equal((await call('GET', '/broadcasts/cast/recipients?status=sent')).body.length, 9)
  t.same((await call('GET', '/broadcasts/cast/recipients?status=bounced')).body, [])
  t.match((await call('GET', '/broadcasts/cast/results')).body, {
    total: { queued: 9, handed: 9, bounced: 0, failed: 0 }
  })
})

/** So many that each variant has some of them. */
const SPLIT_BETWEEN = 40

test('the variants of a split test are compared, and the rest gets the better one', async (t) => {
  const { call, drain, schedule, mailer, clock } = await open(t, SPLIT_BETWEEN)
  const variants = ['news', 'other'].map((slug) => ({ name: slug, templateSlug: slug }))
  const split = { testPercent: 60, winner: 'human_opens', decideAfterHours: 1 }
  await call('POST', '/broadcasts', { ...cast, splitTest: { variants, ...split } })
  await schedule('cast')
  await drain()
  const { sends } = mailer.collections
  const opened = { humanOpenedAt: clock.now(), openedAt: clock.now() }
  await sends.updateMany({ templateSlug: 'other' }, recorded(opened))
  await clock.advance(2 * 3_600_000)
  await drain()
  const { body } = await call('GET', '/broadcasts/cast/results')
  const [news, other] = body.variants
  t.match(news, { name: 'news', isWinner: false, openedByPeople: 0 })
  t.match(other, { name: 'other', isWinner: true })
  t.ok(other.openedByPeople > 0)
  t.match(body.significance, { best: 'other', next: 'news', verdict: /better|too_few/ })
  t.ok(body.rest.queued > 0)
  t.equal(news.queued + other.queued + body.rest.queued, SPLIT_BETWEEN, 'the rest is apart')
  t.equal(body.total.queued, SPLIT_BETWEEN)
})

test('a broadcast is paused for a reason, copied, and deleted while it is a draft', async (t) => {
  const { call, schedule } = await open(t)
  await call('POST', '/broadcasts', { ...cast, recipientCap: 5 })
  const copy = await call('POST', '/broadcasts/cast/duplicate', { slug: 'again' })
  t.match(copy, { status: 201, body: { name: 'Cast (copy)', status: 'draft', recipientCap: 5 } })
  await schedule('cast')
  t.match((await call('POST', '/broadcasts/cast/pause', { reason: 'A wrong price.' })).body, {
    status: 'paused',
    pauseReason: { by: 'human:check', message: 'A wrong price.' }
  })
  t.match(await call('DELETE', '/broadcasts/cast'), { status: 409, body: { error: 'not_draft' } })
  t.equal((await call('DELETE', '/broadcasts/again')).status, 200)
  t.equal((await call('GET', '/broadcasts/again')).status, 404)
  t.match((await call('GET', '/audit?action=broadcast.delete')).body, [
    { before: { slug: 'again', status: 'draft' } }
  ])
  for (const path of ['results', 'recipients'])
    t.equal((await call('GET', `/broadcasts/none/${path}`)).status, 404)
})
