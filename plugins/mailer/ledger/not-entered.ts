// Notes the contacts that a scan of a flow's segment did not take, and why.
import { createHash } from 'node:crypto'
import type { MailerContext } from './context.ts'
import type { NotEnteredReason } from './event-rows.ts'
import type { NotEnteredRow } from './flow-rows.ts'

/** A contact that a flow did not take. */
export interface RefusedContact {
  readonly externalId: string
  readonly reason: NotEnteredReason
}

/** How many contacts a scan did not take, by reason. */
export type NotEnteredCounts = Readonly<Partial<Record<NotEnteredReason, number>>>

/** Contacts that one scan notes of a reason; the others are counted. */
export const MOST_NOTED = 1_000

/**
 * Notes them in one query and one command, the first of each reason, and counts all. A contact that is noted
 * for the reason keeps the time of the first note, or gets `at` where `isRenewed`.
 *
 * @param counts of the scan so far
 * @returns the counts with these
 */
export async function noteNotEntered(
  { collections }: Pick<MailerContext, 'collections'>,
  refused: readonly RefusedContact[],
  note: {
    readonly flowId: string
    readonly at: Date
    readonly isRenewed: boolean
    readonly counts: NotEnteredCounts
  }
): Promise<NotEnteredCounts> {
  const { flowId, at, isRenewed } = note
  const counts: Partial<Record<NotEnteredReason, number>> = { ...note.counts }
  const rows: NotEnteredRow[] = []
  for (const { externalId, reason } of refused) {
    const before = counts[reason] ?? 0
    counts[reason] = before + 1
    if (before < MOST_NOTED)
      rows.push({ _id: rowId(flowId, externalId, reason), flowId, externalId, reason, at })
  }
  if (rows.length === 0) return counts
  const known = isRenewed ? new Set<string>() : await knownIds(collections, rows)
  const operations = rows
    .filter(({ _id }) => !known.has(_id))
    .map(({ _id, ...fields }) => ({
      updateOne: { filter: { _id }, update: { $set: fields }, upsert: true }
    }))
  if (operations.length > 0) await collections.notEntered.bulkWrite(operations, { ordered: false })
  return counts
}

async function knownIds(
  { notEntered }: MailerContext['collections'],
  rows: readonly NotEnteredRow[]
): Promise<ReadonlySet<string>> {
  const found = await notEntered
    .find({ _id: { $in: rows.map(({ _id }) => _id) } }, { projection: { _id: 1 } })
    .batchSize(rows.length + 1)
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}

const rowId = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
