// Erasures that the command line asked for: it cannot reach saved views and what running hosts have in memory, so
// a running host repeats them. A host without any finds nothing to do.

import { escapePart } from '../envelope/record-id.ts'
import type { StorageCollections } from '../storage/storage.ts'
import type { Telemetry } from '../telemetry.ts'

const PREFIX = '$forget:'
/** Of one look: the next comes in a minute. */
const MOST = 100

export async function requestErasure(
  { checkpoints }: Pick<StorageCollections, 'checkpoints'>,
  { tenantId, ref, at }: { tenantId: string; ref: string; at: Date }
): Promise<void> {
  const _id = `${PREFIX}${escapePart(tenantId)}|${ref}`
  await checkpoints.updateOne({ _id }, { $set: { at, tenantId, ref } }, { upsert: true })
}

/** Completes what was asked for; what fails stays and is tried again. Returns how many were done. */
export async function completeErasures(
  telemetry: Pick<Telemetry, 'forget'>,
  { checkpoints }: Pick<StorageCollections, 'checkpoints'>
): Promise<number> {
  const asked = await checkpoints
    .find({ _id: { $gte: PREFIX, $lt: '$forget;' } })
    .limit(MOST)
    .toArray()
  for (const { _id, tenantId, ref, at } of asked) {
    if (tenantId === undefined || ref === undefined) continue
    await telemetry.forget(tenantId, ref, { by: 'command line, completed by a host' })
    // Asked for again meanwhile: it stays for the next look.
    await checkpoints.deleteOne({ _id, at })
  }
  return asked.length
}
