// What is counted by the keys of an index is what the facts of the mails say.
import fc from 'fast-check'
import { test } from 'tap'
import type { SendRow } from '../../ledger/send-row.ts'
import { HANDOFF_STATES, statusOf } from '../../ledger/send-status.ts'
import { recorded, sentMail } from '../../test/sent-mail.ts'
import { testContext } from '../../test/test-context.ts'
import { countMails, countsOf, type MailCounts } from './count-mails.ts'
import { statusBreakdown } from './measure-broadcast.ts'

const at = new Date('2026-03-01T10:00:00Z')
const time = fc.constant(at)
const facts = fc.record(
  {
    handedAt: time,
    deliveredAt: time,
    openedAt: time,
    humanOpenedAt: time,
    firstClickAt: time,
    humanClickedAt: time,
    bouncedAt: time,
    bounceType: fc.constantFrom('hard' as const, 'soft' as const),
    complainedAt: time,
    droppedAt: time,
    unsubscribedAt: time
  },
  { requiredKeys: [] }
)
const mail = fc.record({
  handoff: fc.constantFrom(...HANDOFF_STATES),
  templateSlug: fc.constantFrom('news', 'offer'),
  facts
})

type Sample = Pick<SendRow, 'handoff'> & Partial<SendRow>

/** The same from the facts, mail by mail. */
function countedOneByOne(mails: readonly Sample[]): MailCounts {
  const count = (fits: (one: Sample) => unknown) => mails.filter((one) => fits(one)).length
  const inStatus = (status: string) => count((one) => statusOf(one) === status)
  return {
    queued: mails.length,
    handed: count((one) => one.handedAt),
    delivered: count((one) => one.deliveredAt),
    opened: count((one) => one.openedAt),
    openedByPeople: count((one) => one.humanOpenedAt),
    clicked: count((one) => one.firstClickAt),
    clickedByPeople: count((one) => one.humanClickedAt),
    bounced: count((one) => one.bouncedAt),
    hardBounced: count((one) => one.bounceType === 'hard'),
    complained: count((one) => one.complainedAt),
    unsubscribed: count((one) => one.unsubscribedAt),
    failed: inStatus('failed'),
    suppressed: inStatus('suppressed'),
    cancelled: inStatus('cancelled')
  }
}

test('counts of a broadcast are those of its mails one by one, by template and in all', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  const samples = fc.sample(mail, { numRuns: 400, seed: 12 })
  const broadcast = { broadcastId: 'cast', broadcastSlug: 'cast' }
  const { handedAt: _handed, ...fresh } = sentMail('one')
  await sends.insertMany(
    samples.map(({ templateSlug }, at) => {
      const key = `m${at}`
      return { ...fresh, ...broadcast, _id: key, dedupeKey: key, externalId: key, templateSlug }
    })
  )
  await sends.insertOne({ ...sentMail('other'), ...broadcast, broadcastId: 'other' })
  await sends.bulkWrite(
    samples.map(({ handoff, facts }, at) => ({
      updateOne: { filter: { _id: `m${at}` }, update: recorded({ handoff, ...facts }) }
    }))
  )
  const mails = samples.map(({ facts, ...own }): Sample => ({ ...own, ...facts }))
  const groups = await countMails(context, 'cast')
  t.same(countsOf(groups), countedOneByOne(mails))
  for (const slug of ['news', 'offer'])
    t.same(
      countsOf(groups.filter(({ templateSlug }) => templateSlug === slug)),
      countedOneByOne(mails.filter(({ templateSlug }) => templateSlug === slug))
    )
  const statuses: Record<string, number> = {}
  for (const one of mails) statuses[statusOf(one)] = (statuses[statusOf(one)] ?? 0) + 1
  t.same(await statusBreakdown(context, 'cast'), statuses)
  t.same(countsOf(await countMails(context, 'none')), countedOneByOne([]))
})

test('an index that has changed, so under another name, is read all the same', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  await sends.insertOne({ ...sentMail('one'), broadcastId: 'cast', broadcastSlug: 'cast' })
  const rename = async (from: string, to: string) => {
    const { key = {}, partialFilterExpression = {} } =
      (await sends.indexes()).find(({ name }) => name === from) ?? {}
    await sends.dropIndex(from)
    await sends.createIndex(key, { name: to, partialFilterExpression })
  }
  for (const name of ['broadcast_progress', 'broadcast_status']) {
    await rename(name, `${name}~1`)
    // Later tests have the same collection.
    t.teardown(() => rename(`${name}~1`, name))
  }
  t.equal((await countMails(context, 'cast')).length, 1)
  t.same(await statusBreakdown(context, 'cast'), { sent: 1 })
})
