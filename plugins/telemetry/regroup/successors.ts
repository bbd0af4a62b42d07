// Which issue takes over from a former one, kept until all of its records have moved: a run that was killed goes on.
import type { ClientSession } from 'mongodb'
import { escapePart } from '../envelope/record-id.ts'
import type { RowChange } from '../history/revise.ts'
import type { StoredCheckpoint, TelemetryStorage } from '../storage/storage.ts'

const PREFIX = '$regroup:'

/** A former issue and its successor: that of the oldest record that has moved. */
export interface Succession {
  readonly id: string
  readonly tenantId: string
  readonly former: string
  readonly successor: string
}

const prefixOf = (tenantId: string): string => `${PREFIX}${escapePart(tenantId)}|`

/** Within the transaction that moves the records. */
export async function noteSuccessors(
  { collections: { checkpoints } }: TelemetryStorage,
  changes: readonly RowChange[],
  session: ClientSession
): Promise<void> {
  const oldest = new Map<string, StoredCheckpoint>()
  for (const { before, after } of changes) {
    const { tenantId, occurredAt: at } = before
    const fingerprint = before.error?.fingerprint ?? ''
    const _id = prefixOf(tenantId) + escapePart(fingerprint)
    const known = oldest.get(_id)
    if (known !== undefined && known.at <= at) continue
    oldest.set(_id, { _id, at, tenantId, fingerprint, position: after.error?.fingerprint ?? '' })
  }
  const writes = [...oldest.values()].flatMap(({ _id, at, ...more }) => [
    {
      updateOne: { filter: { _id }, update: { $setOnInsert: { at, ...more } }, upsert: true }
    },
    { updateOne: { filter: { _id, at: { $gt: at } }, update: { $set: { at, ...more } } } }
  ])
  if (writes.length > 0) await checkpoints.bulkWrite(writes, { session })
}

/** The next one of a tenant, by id. */
export async function nextSuccession(
  { collections: { checkpoints } }: TelemetryStorage,
  tenantId: string,
  after: string | undefined
): Promise<Succession | undefined> {
  const prefix = prefixOf(tenantId)
  const found = await checkpoints.findOne(
    { _id: { $gt: after ?? prefix, $lt: `${prefix}~` } },
    { sort: { _id: 1 } }
  )
  if (found === null) return undefined
  const { _id: id, fingerprint = '', position = '' } = found
  return { id, tenantId, former: fingerprint, successor: position }
}
