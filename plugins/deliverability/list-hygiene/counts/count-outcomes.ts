// Adds what happened to mails to the counts of their contacts, each outcome once: counts and cursor change together.
import type { MailOutcome, MailOutcomeType } from '@keelson/mailer/contracts'
import type { AnyBulkWriteOperation } from 'mongodb'
import type { HygieneContext } from '../rows.ts'
import { type ContactRow, dayOf, type MailCounts } from './contact-row.ts'

/** Outcomes of one transaction. */
const PAGE = 1_000

const COUNTERS: Readonly<Partial<Record<MailOutcomeType, readonly (keyof MailCounts)[]>>> = {
  accepted: ['sent'],
  soft_bounce: ['bounced'],
  hard_bounce: ['bounced', 'hardBounced'],
  complaint: ['complained']
}

/** Counts all outcomes since the last call. False when the signal ended it before. */
export async function countOutcomes(
  context: HygieneContext,
  signal: AbortSignal
): Promise<boolean> {
  const { feed, mailer, contacts, withTransaction } = context
  await feed.updateOne({ _id: 'feed' }, { $setOnInsert: { cursor: null } }, { upsert: true })
  while (!signal.aborted) {
    const { cursor: after = null } = (await feed.findOne({ _id: 'feed' })) ?? {}
    const page = await mailer.outcomes({ limit: PAGE, ...(after !== null && { after }) })
    if (page.items.length === 0) return true
    const operations = countsOf(page.items)
    await withTransaction(async (session) => {
      const moved = await feed.updateOne(
        { _id: 'feed', cursor: after },
        { $set: { cursor: page.cursor } },
        { session }
      )
      // Another process has counted this page.
      if (moved.modifiedCount === 0 || operations.length === 0) return
      await contacts.bulkWrite(operations, { session })
    })
    if (page.items.length < PAGE) return true
  }
  return false
}

/** One update for each contact. */
function countsOf(outcomes: readonly MailOutcome[]): AnyBulkWriteOperation<ContactRow>[] {
  const byContact = new Map<string, Record<string, number>>()
  for (const { type, externalId, occurredAt } of outcomes) {
    const counters = COUNTERS[type]
    if (counters === undefined) continue
    const added = byContact.get(externalId) ?? {}
    byContact.set(externalId, added)
    for (const counter of counters) {
      for (const path of [`lifetime.${counter}`, `days.${dayOf(occurredAt)}.${counter}`]) {
        added[path] = (added[path] ?? 0) + 1
      }
    }
  }
  return [...byContact].map(([_id, $inc]) => ({
    updateOne: { filter: { _id }, update: { $inc }, upsert: true }
  }))
}
