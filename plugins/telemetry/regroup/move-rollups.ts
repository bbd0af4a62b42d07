// What rows have added to the documents of their former issue goes to those of the new one, within the transaction that
// changes the rows.
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb'
import { clipText } from '../bounds.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { encodeKey } from '../field-keys.ts'
import type { RowChange } from '../history/revise.ts'
import type { CompiledRollup, Registry } from '../registry/types.ts'
import type { Increment } from '../rollups/increment.ts'
import { Ledger } from '../rollups/ledger.ts'
import { placeInOne } from '../rollups/place.ts'
import { additionOf, correctionOf, type StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'

/** The dimension that issues are kept by, and what is before `=` in its values. */
export const BY_ISSUE = 'field:error.fingerprint'
export const ISSUE_LABEL = 'error.fingerprint'

const isByIssue = ({ by }: CompiledRollup): boolean =>
  by.some(({ dimension }) => dimension === BY_ISSUE)

/** Families that only note the issue of their first record. */
const capturesIssue = ({ capture }: CompiledRollup): boolean =>
  capture.some(({ dimension }) => dimension === BY_ISSUE)

type Write = AnyBulkWriteOperation<StoredRollup>

export async function moveRollups(
  { collections: { rollups } }: TelemetryStorage,
  registry: Registry,
  changes: readonly RowChange[],
  session: ClientSession
): Promise<void> {
  const former = placed(registry, changes, ({ before }) => before)
  const fresh = placed(registry, changes, ({ after }) => after)
  const writes: Write[] = [
    ...former.map((one) => ({ updateOne: takingOf(one) })),
    ...fresh.flatMap((one) =>
      [additionOf(one), correctionOf(one)].map((updateOne) => ({ updateOne }))
    ),
    ...changes.flatMap((change) => captureWrites(registry, change))
  ]
  if (writes.length === 0) return
  await rollups.bulkWrite(writes, { session, ignoreUndefined: true })
  const ids = former.map(({ key }) => key._id)
  await rollups.deleteMany({ _id: { $in: ids }, count: { $lte: 0 } }, { session })
}

function placed(
  registry: Registry,
  changes: readonly RowChange[],
  pick: (change: RowChange) => StoredRow
): readonly Increment[] {
  const ledger = new Ledger()
  ledger.begin(0)
  for (const change of changes) {
    const row = pick(change)
    const event = registry.event(row.name)
    for (const rollup of event?.rollups ?? []) {
      if (event !== undefined && isByIssue(rollup)) placeInOne(ledger, event, row, rollup.as)
    }
  }
  return ledger.touched
}

function takingOf({ key, count, sums = {} }: Increment) {
  const taken = Object.entries(sums).map(([field, value]) => [`sums.${field}`, -value])
  return {
    filter: { _id: key._id },
    update: { $inc: { count: -count, ...Object.fromEntries(taken) } }
  }
}

function captureWrites(registry: Registry, { after }: RowChange): readonly Write[] {
  const event = registry.event(after.name)
  const captured = `firstCapture.${encodeKey(BY_ISSUE)}`
  const ledger = new Ledger()
  ledger.begin(0)
  for (const rollup of event?.rollups ?? []) {
    if (event === undefined || !capturesIssue(rollup) || isByIssue(rollup)) continue
    placeInOne(ledger, event, after, rollup.as)
  }
  return ledger.touched.map(({ key }) => ({
    updateOne: {
      filter: { _id: key._id, firstId: after._id },
      update: { $set: { [captured]: clipText(after.error?.fingerprint ?? '', 500) } }
    }
  }))
}
