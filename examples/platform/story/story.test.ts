// The story is the same for a seed, ordered, and inside its range.
import { test } from 'tap'
import { chanceFrom } from './random.ts'
import type { StoryRecord } from './record.ts'
import { NEWEST_RELEASE, releaseAt } from './releases.ts'
import { tellStory } from './story.ts'

const options = {
  from: new Date('2026-03-02T00:00:00Z'),
  to: new Date('2026-03-03T00:00:00Z'),
  visitorsPerHour: 20,
  userPrefix: 's-'
}

test('one seed tells one story', async (t) => {
  t.same(tellStory(chanceFrom(7), options), tellStory(chanceFrom(7), options))
})

test('another seed tells another story', async (t) => {
  const ids = (seed: number) => tellStory(chanceFrom(seed), options).map(({ _id }) => _id)
  t.not(ids(7).join(), ids(8).join())
})

test('every record lies inside the range and they come in order', async (t) => {
  const times = tellStory(chanceFrom(7), options).map(({ occurredAt }) => occurredAt)
  t.ok(times.length > 500, `${times.length} records`)
  t.same(times, [...times].sort())
  t.ok(times.every((at) => at >= options.from.toISOString() && at < options.to.toISOString()))
})

test('a day has visits, sign-ups, orders and errors', async (t) => {
  const names = new Set(tellStory(chanceFrom(7), options).map(({ name }) => name))
  for (const name of [
    'page.viewed',
    'account.signed_up',
    'order.placed',
    'app.error',
    'llm.tokens'
  ]) {
    t.ok(names.has(name), name)
  }
})

const HOUR = 3_600_000
const weeks = () =>
  tellStory(chanceFrom(7), {
    ...options,
    from: new Date('2026-01-05T00:00:00Z'),
    visitorsPerHour: 1
  })
const end = options.to.getTime()

test('people who signed up come back in later weeks', async (t) => {
  const records = weeks()
  const who = (record: StoryRecord) => record.subjects?.[0]?.id ?? ''
  const signedUp = records.filter(({ name }) => name === 'account.signed_up')
  const back = signedUp.filter((one) =>
    records.some(
      (later) =>
        later.name === 'page.viewed' &&
        who(later) === who(one) &&
        Date.parse(later.occurredAt) - Date.parse(one.occurredAt) > 14 * 24 * HOUR
    )
  )
  const share = back.length / signedUp.length
  t.ok(share > 0.1 && share < 0.6, `${share}`)
})

test('usage of paying people carries its amount, that of others is not billed', async (t) => {
  const usage = weeks().flatMap((record) => record.usage ?? [])
  t.ok(usage.length > 50, `${usage.length}`)
  for (const { amount, currency, billable } of usage) {
    if (billable === false) t.equal(amount, undefined)
    else t.match({ amount, currency }, { amount: /^\d+\.\d{6}$/, currency: 'USD' })
  }
})

test('a fault belongs to the releases that have it', async (t) => {
  const errors = weeks().flatMap(({ error, occurredAt }) => (error ? [{ error, occurredAt }] : []))
  const releases = (type: string) =>
    [
      ...new Set(
        errors
          .filter(({ error }) => error.type === type)
          .map(({ occurredAt }) => releaseAt(Date.parse(occurredAt), end))
      )
    ].sort()
  t.same(releases('RangeError'), [NEWEST_RELEASE])
  t.notOk(releases('TypeError').includes(NEWEST_RELEASE))
  t.same(releases('UpstreamError'), ['shop@1.3.1'])
  t.ok(releases('PaymentError').length > 2)
})

test('the spans of a checkout are one trace in which each has its parent', async (t) => {
  const spans = weeks().filter(({ name }) => name === 'http.request')
  const checkout = spans.find(({ attrs }) => attrs?.['route'] === '/checkout')
  const children = spans.filter(({ parentId }) => parentId === checkout?.spanId)
  t.same(children.map(({ attrs }) => attrs?.['route']).sort(), [
    '/cart/total',
    '/payments/charge',
    '/stock/reserve'
  ])
  for (const child of children) {
    t.equal(child.traceId, checkout?.traceId)
    t.ok((child.durationMs ?? 0) <= (checkout?.durationMs ?? 0))
  }
})
