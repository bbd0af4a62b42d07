// The pure decisions of broadcasts: pages and caps, recipients' own time, split tests, pauses and stop rules.
import { wallTime } from '@keelson/sdk/zoned-time'
import fc from 'fast-check'
import { test } from 'tap'
import type { SegmentPage } from '../../audience/segments/page-of-segment.ts'
import type { BroadcastRow, PauseCode, StopRules } from '../../ledger/broadcast-row.ts'
import { decideStart, decideWinner, nextStep } from './decide-step.ts'
import { localDueAt } from './local-time.ts'
import { type PageFacts, planPage } from './plan-page.ts'
import { withoutPauses, withPause } from './plan-pauses.ts'
import { winnerOf } from './split-test.ts'
import { breachOf } from './stop-rules.ts'
import { people } from './test/broadcast-bench.ts'

const at = (text: string) => new Date(text)
const now = at('2026-11-22T12:00:00Z')
const rules: StopRules = {
  enabled: true,
  hardBounceRatePct: 2,
  complaintRatePct: 0.1,
  unsubscribeRatePct: 1,
  minSample: 100
}
const broadcast = (more: Partial<BroadcastRow> = {}): BroadcastRow => ({
  _id: 'b1',
  slug: 'cast',
  name: 'Cast',
  templateSlug: 'news',
  segmentDefinition: {},
  status: 'sending',
  queuedCount: 0,
  respectRecipientTimezone: false,
  stopRules: rules,
  createdBy: 'x',
  createdAt: now,
  updatedAt: now,
  ...more
})
const facts: PageFacts = {
  known: new Set(),
  knownIds: new Set(),
  idOf: (email) => `to ${email}`,
  homeZone: 'UTC',
  categories: new Map(),
  now
}
const page = (count: number, nextCursor?: string) => ({
  members: people(count).map((contact) => ({ contact, subscription: undefined as never })),
  excluded: [],
  matched: count,
  ...(nextCursor !== undefined && { nextCursor })
})
const split: NonNullable<BroadcastRow['splitTest']> = {
  variants: [
    { name: 'a', templateSlug: 'first' },
    { name: 'b', templateSlug: 'second' }
  ],
  testPercent: 20,
  winner: 'human_clicks',
  decideAfterHours: 2
}

test('a page queues its contacts once and goes on behind it', async (t) => {
  const twice = page(3, 'next')
  const plan = planPage(
    broadcast(),
    { ...twice, members: [...twice.members, ...twice.members] },
    facts
  )
  t.equal(plan.sends.length, 3)
  t.match(plan, { isCapReached: false, fields: { cursor: 'next' } })
  t.same(planPage(broadcast(), page(3), facts).fields, { cursor: null })
})

test('a page that the cap cuts is read again, and who has a mail does not count', async (t) => {
  const capped = broadcast({ recipientCap: 5, queuedCount: 3, cursor: 'here' })
  const plan = planPage(capped, page(4, 'next'), facts)
  t.match(plan, { isCapReached: true, fields: { cursor: 'here' } })
  t.equal(plan.sends.length, 2)
  const known = new Set(plan.sends.map(({ dedupeKey }) => dedupeKey))
  const again = planPage({ ...capped, recipientCap: 7, queuedCount: 5 }, page(4, 'next'), {
    ...facts,
    known
  })
  t.same(
    again.sends.map(({ externalId }) => externalId),
    ['c002', 'c003']
  )
  t.match(again, { isCapReached: false, fields: { cursor: 'next' } })
})

const sharing = (...addresses: readonly string[]) => ({
  members: addresses.map((email, at) => ({
    contact: { externalId: `s${at}`, email, tags: [], fields: {} },
    subscription: undefined as never
  })),
  excluded: [],
  matched: addresses.length
})

test('of contacts with one address the first gets the mail, the others are left out', async (t) => {
  const same = sharing('Ann@a.test', 'ann@A.test', 'bob@a.test', 'none', 'none')
  const plan = planPage(broadcast(), same, facts)
  t.same(
    plan.sends.map(({ externalId, id }) => [externalId, id]),
    [
      ['s0', 'to ann@a.test'],
      ['s2', 'to bob@a.test'],
      ['s3', undefined],
      ['s4', undefined]
    ],
    'the ledger lists each contact without an address'
  )
  const twin = { broadcastId: 'b1', reason: 'same_address' }
  t.same(plan.leftOut, [{ ...twin, externalId: 's1' }])
  const later = planPage(broadcast(), same, { ...facts, knownIds: new Set(['to bob@a.test']) })
  t.same(
    later.leftOut.map(({ externalId }) => externalId),
    ['s1', 's2'],
    'the mail of an earlier page counts'
  )
})

test('contacts whom marketing must not reach are left out with the last reading of their page', async (t) => {
  const [gone, kept] = people(2)
  if (gone === undefined || kept === undefined) throw new Error('there are two')
  const read: SegmentPage = {
    ...page(0, 'next'),
    excluded: [
      { contact: gone, reason: 'not_subscribed', detail: 'unsubscribed' },
      { contact: kept, reason: 'no_address' }
    ]
  }
  const ids = (row: BroadcastRow, known: readonly string[] = []) =>
    planPage(row, read, { ...facts, known: new Set(known) }).leftOut.map((one) => one.externalId)
  t.same(planPage(broadcast(), read, facts).leftOut, [
    { broadcastId: 'b1', externalId: 'c000', reason: 'not_subscribed', detail: 'unsubscribed' },
    { broadcastId: 'b1', externalId: 'c001', reason: 'no_address' }
  ])
  t.same(ids(broadcast({ splitTest: split, splitPhase: 'test' })), [])
  const rest = broadcast({ splitTest: split, splitPhase: 'rest', winner: 'a' })
  t.same(ids(rest, ['broadcast:b1:c000']), ['c001'], 'who left after the test got a mail')
  const full = { ...read, ...page(3, 'next'), excluded: read.excluded }
  const cut = planPage(broadcast({ recipientCap: 2 }), full, facts)
  t.match(cut, { isCapReached: true, leftOut: [] }, 'a page that is cut is read again')
})

test('who is left out takes no place under the cap', async (t) => {
  const plan = planPage(
    broadcast({ recipientCap: 2 }),
    sharing('a@a.test', 'A@a.test', 'b@a.test'),
    facts
  )
  t.match(plan, { sends: [{ externalId: 's0' }, { externalId: 's2' }], isCapReached: false })
})

test('waves of any sizes mail every contact exactly once', async (t) => {
  const all = page(40).members
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (waves) => {
      const known = new Set<string>()
      let row = broadcast({ recipientCap: 0 })
      for (const size of [...waves, 100]) {
        row = { ...row, recipientCap: row.queuedCount + size }
        for (let isFull = false; !isFull && row.cursor !== null; ) {
          const from = Number(row.cursor ?? 0)
          const members = all.slice(from, from + 7)
          const next = from + 7 < all.length ? { nextCursor: `${from + 7}` } : {}
          const plan = planPage(
            row,
            { members, excluded: [], matched: 7, ...next },
            { ...facts, known }
          )
          for (const { dedupeKey } of plan.sends) known.add(dedupeKey)
          row = { ...row, ...plan.fields, queuedCount: row.queuedCount + plan.sends.length }
          isFull = plan.isCapReached
          if (row.queuedCount > (row.recipientCap ?? 0)) return false
        }
      }
      return row.cursor === null && known.size === 40 && row.queuedCount === 40
    })
  )
  t.pass()
})

test('a contact with an invalid address is queued without one, so that the ledger lists it', async (t) => {
  const members = people(1, () => ({ email: 'none' })).map((contact) => ({
    contact,
    subscription: undefined as never
  }))
  const [send] = planPage(broadcast(), { members, excluded: [], matched: 1 }, facts).sends
  t.notOk('emailAtSend' in (send ?? {}))
})

test('recipients get a broadcast at their own clock time, on the next day if it has passed', async (t) => {
  const nine = at('2026-11-23T09:00:00Z')
  t.same(localDueAt(nine, 'America/New_York', 'UTC'), at('2026-11-23T14:00:00Z'))
  t.same(localDueAt(nine, 'Asia/Tokyo', 'UTC'), at('2026-11-24T00:00:00Z'))
  t.same(localDueAt(nine, 'Mars/Olympus', 'UTC'), nine)
  t.same(localDueAt(nine, undefined, 'Europe/Berlin'), nine)
  t.same(localDueAt(nine, 'America/New_York', 'Europe/Berlin'), at('2026-11-23T15:00:00Z'))
})

test('a clock time that the change to summer time leaves out is the moment after the gap', async (t) => {
  const due = localDueAt(at('2027-03-28T00:30:00Z'), 'Europe/Berlin', 'Europe/Lisbon')
  t.same(due, at('2027-03-28T22:30:00Z'))
  const gap = localDueAt(at('2027-03-27T02:30:00Z'), 'Europe/Berlin', 'UTC')
  t.same(gap, at('2027-03-28T01:30:00Z'))
})

test('the local time is never before the schedule, and shows the clock time asked for', async (t) => {
  const DAY = 86_400_000
  const zones = fc.constantFrom(
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Apia',
    'Australia/Lord_Howe'
  )
  const times = fc.date({ min: at('2026-01-01'), max: at('2028-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(times, zones, (scheduledAt, zone) => {
      const due = localDueAt(scheduledAt, zone, 'UTC').getTime()
      const wait = due - scheduledAt.getTime()
      const isShown = wallTime(due, zone) % DAY === scheduledAt.getTime() % DAY
      const shift = Math.abs((wallTime(due, zone) % DAY) - (scheduledAt.getTime() % DAY))
      return wait >= 0 && wait <= 25 * 3_600_000 && (isShown || shift <= 3_600_000)
    })
  )
  t.pass()
})

/** Mails of a split test over pages of these sizes, by template. */
function splitOver(sizes: readonly number[], splitTest: NonNullable<BroadcastRow['splitTest']>) {
  let row = broadcast({ splitTest, splitPhase: 'test' })
  const all = people(sizes.reduce((sum, size) => sum + size, 0))
  const templates: string[] = []
  let from = 0
  for (const size of sizes) {
    const members = all.slice(from, from + size).map((contact) => {
      return { contact, subscription: undefined as never }
    })
    const plan = planPage(row, { ...page(0, 'next'), members }, facts)
    templates.push(...plan.sends.map(({ templateSlug }) => templateSlug))
    row = { ...row, ...plan.fields }
    from += size
  }
  return (slug: string) => templates.filter((template) => template === slug).length
}

test('a split test takes exactly its share, and its arms differ by one mail at most', async (t) => {
  const count = splitOver([40], { ...split, testPercent: 100 })
  t.same([count('first'), count('second')], [20, 20])
  const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 100 }), (pages, testPercent) => {
      const counted = splitOver(pages, { ...split, testPercent })
      const total = pages.reduce((sum, size) => sum + size, 0)
      const [first, second] = [counted('first'), counted('second')]
      const isShare = first + second === Math.round((total * testPercent) / 100)
      return isShare && Math.abs(first - second) <= 1
    })
  )
})

test('a page that a cap cut takes the same contacts of a split test again', async (t) => {
  const tested = broadcast({ splitTest: { ...split, testPercent: 50 }, splitPhase: 'test' })
  const whole = planPage(tested, page(20), facts).sends
  const cut = planPage({ ...tested, recipientCap: 4 }, page(20), facts)
  t.match(cut, { isCapReached: true, sends: whole.slice(0, 4) })
  t.equal(cut.fields.splitCounts, undefined)
  const known = new Set(cut.sends.map(({ dedupeKey }) => dedupeKey))
  const again = planPage({ ...tested, queuedCount: 4 }, page(20), { ...facts, known })
  t.same(again.sends, whole.slice(4))
})

test('of contacts with one address one counts for the arms', async (t) => {
  const all = { ...split, testPercent: 100 }
  const same = sharing('a@a.test', 'A@a.test', 'b@a.test', 'B@a.test')
  const { sends, leftOut } = planPage(broadcast({ splitTest: all }), same, facts)
  t.same(sends.map(({ templateSlug }) => templateSlug).sort(), ['first', 'second'])
  t.equal(leftOut.length, 2)
})

test('after the test everybody else gets the winner', async (t) => {
  const rest = broadcast({ splitTest: split, splitPhase: 'rest', winner: 'b' })
  t.same(
    planPage(rest, page(2), facts).sends.map(({ templateSlug }) => templateSlug),
    ['second', 'second']
  )
})

test('the variant with the best rate wins, of equal ones the first', async (t) => {
  const result = (name: string, handed: number, reactions: number) => ({
    name,
    templateSlug: name,
    handed,
    reactions
  })
  t.equal(winnerOf([result('a', 100, 10), result('b', 50, 9)]), 'b')
  t.equal(winnerOf([result('a', 100, 10), result('b', 50, 5)]), 'a')
  t.equal(winnerOf([result('a', 0, 0), result('b', 0, 0)]), 'a')
})

test('after its last page a split test waits, and its winner starts at the first page', async (t) => {
  const tested = broadcast({ splitTest: split, splitPhase: 'test' })
  const { fields } = planPage(tested, page(3), facts)
  t.match(fields, { cursor: null, splitPhase: 'deciding', testQueuedAt: now })
  const deciding = { ...tested, ...fields }
  const results = [{ name: 'b', templateSlug: 'second', handed: 2, reactions: 1 }]
  t.equal(nextStep(deciding, at('2026-11-22T13:59:59Z')), 'wait')
  t.equal(nextStep(deciding, at('2026-11-22T14:00:00Z')), 'choose_winner')
  t.match(decideWinner(deciding, results, now), {
    fields: { splitPhase: 'rest', winner: 'b', cursor: undefined }
  })
  t.match(decideWinner(tested, results, now), { code: 'not_deciding' })
})

test('a broadcast starts at its time, or fails when it is late or has no template', async (t) => {
  const scheduled = broadcast({ status: 'scheduled', scheduledAt: now })
  const start = { now, published: new Set(['news']) }
  t.match(decideStart(scheduled, start), {
    ok: true,
    fields: { status: 'sending', startedAt: now }
  })
  t.match(decideStart({ ...scheduled, expiresAt: now }, start), {
    fields: { failure: { code: 'schedule_expired' } }
  })
  t.match(decideStart(scheduled, { now, published: new Set() }), {
    fields: { failure: { code: 'template_missing' } }
  })
  t.match(decideStart({ ...scheduled, status: 'paused' }, start), { code: 'not_due' })
})

test('pauses end in any order, and the broadcast goes on when none is left', async (t) => {
  const pause = (code: PauseCode, by: string) => ({ code, by, message: by, at: now })
  const names = fc.uniqueArray(
    fc.record({
      code: fc.constantFrom<PauseCode>('gate', 'manual', 'cap_reached'),
      by: fc.string()
    }),
    { minLength: 1, maxLength: 5, selector: ({ code, by }) => `${code} ${by}` }
  )
  fc.assert(
    fc.property(names, fc.boolean(), (asked, isStarted) => {
      const begun = isStarted ? { startedAt: now } : { status: 'scheduled' as const }
      let row = broadcast(begun)
      for (const { code, by } of asked) {
        row = { ...row, ...withPause(row, pause(code, by)) } as BroadcastRow
        if (row.status !== 'paused' || withPause(row, pause(code, by)) !== undefined) return false
      }
      for (const { code, by } of [...asked].reverse()) {
        if (row.status !== 'paused') return false
        const holds = row.pauses?.some((one) => one.code !== 'cap_reached') ?? false
        if (holds !== (row.pauseReason?.code !== 'cap_reached')) return false
        row = {
          ...row,
          ...withoutPauses(row, (one) => one.code === code && one.by === by)
        } as BroadcastRow
      }
      return row.status === (isStarted ? 'sending' : 'scheduled') && row.pauseReason === undefined
    })
  )
  t.equal(withPause(broadcast({ status: 'sent' }), pause('manual', 'x')), undefined)
  t.equal(withPause(broadcast({ status: 'draft' }), pause('manual', 'x')), undefined)
})

test('a stop rule is broken above its limit, from its sample on', async (t) => {
  const counts = { delivered: 98, bounced: 2, hardBounces: 2, complaints: 0, unsubscribes: 1 }
  t.equal(breachOf(rules, counts), undefined)
  t.match(breachOf(rules, { ...counts, hardBounces: 3 }), { rule: 'hard_bounce' })
  t.match(breachOf(rules, { ...counts, complaints: 1 }), {
    message: 'Complaints are 1% of 100 mails; the limit is 0.1%.'
  })
  t.match(breachOf(rules, { ...counts, unsubscribes: 2 }), { rule: 'unsubscribe' })
  t.equal(breachOf(rules, { ...counts, delivered: 97, hardBounces: 50 }), undefined)
  t.equal(breachOf({ ...rules, enabled: false }, { ...counts, hardBounces: 50 }), undefined)
})
