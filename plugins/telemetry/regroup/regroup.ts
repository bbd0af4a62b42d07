// Groups stored errors by the rule of today, tenant by tenant, while writes go on. Killed at any point and run again, it
// goes on with the tenant it was at: what has moved stays as it is.
import type { Binary, ClientSession } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { History } from '../history/history.ts'
import { changesOf, type RowChange } from '../history/revise.ts'
import { NEWEST_FIRST } from '../queries/row-source.ts'
import type { Registry } from '../registry/types.ts'
import { DAILY } from '../rollups/system.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { IssueTally, type RegroupCounts } from './issue-tally.ts'
import { moveRollups } from './move-rollups.ts'
import { regroupedRow } from './regrouped-row.ts'
import { settleIssue } from './settle-issue.ts'
import { nextSuccession, noteSuccessors } from './successors.ts'

export interface RegroupOptions {
  /** Counts what would change, and changes nothing. */
  readonly dryRun?: boolean
  /** Errors of this tenant alone. */
  readonly tenantId?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: RegroupProgress) => void
}

export interface RegroupProgress {
  readonly tenantId: string
  /** Error records that were looked at since the start. */
  readonly records: number
  readonly moved: number
}

export interface RegroupResult extends RegroupCounts {
  readonly tenants: number
  /** False when the signal ended it: run again, it goes on. */
  readonly isDone: boolean
}

export interface RegroupContext {
  readonly storage: TelemetryStorage
  readonly history: Pick<History, 'reviseRows' | 'rows'>
  readonly registry: Registry
  readonly now: () => Date
}

interface Run extends RegroupContext {
  readonly options: RegroupOptions
  readonly tally: IssueTally
}

const PROGRESS = '$regrouping'
/** Rows of one transaction. */
const BATCH = 500

/** Issues that senders name themselves stay. */
export async function regroup(
  context: RegroupContext,
  options: RegroupOptions = {}
): Promise<RegroupResult> {
  const { storage, now } = context
  const { checkpoints } = storage.collections
  const run: Run = { ...context, options, tally: new IssueTally() }
  const isWhole = options.tenantId === undefined && options.dryRun !== true
  const known = isWhole ? await checkpoints.findOne({ _id: PROGRESS }) : null
  let tenantId = options.tenantId ?? (await nextTenant(storage, known?.position))
  let tenants = 0
  while (tenantId !== undefined) {
    await regroupTenant(run, tenantId)
    run.tally.endTenant()
    if (options.signal?.aborted === true) break
    tenants++
    if (isWhole) {
      const $set = { at: now(), position: tenantId }
      await checkpoints.updateOne({ _id: PROGRESS }, { $set }, { upsert: true })
    }
    tenantId = options.tenantId === undefined ? await nextTenant(storage, tenantId) : undefined
  }
  const isDone = tenantId === undefined
  if (isWhole && isDone) await checkpoints.deleteOne({ _id: PROGRESS })
  return { ...run.tally.counts, tenants, isDone }
}

/** Every tenant with records has documents in the daily family. */
async function nextTenant(
  { collections: { rollups } }: TelemetryStorage,
  after: string | undefined
): Promise<string | undefined> {
  const found = await rollups
    .aggregate<{ _id: string }>([
      { $match: { as: DAILY, bucketAt: { $exists: true } } },
      { $group: { _id: '$tenantId' } },
      { $match: after === undefined ? {} : { _id: { $gt: after } } },
      { $sort: { _id: 1 } },
      { $limit: 1 }
    ])
    .toArray()
  return found[0]?._id
}

async function regroupTenant(run: Run, tenantId: string): Promise<void> {
  const { history, options, tally } = run
  const { signal, dryRun, onProgress } = options
  const tell = () => {
    const { records, moved } = tally.counts
    onProgress?.({ tenantId, records, moved })
  }
  // Documents first: what is sealed meanwhile is found among the segments.
  await regroupDocuments(run, tenantId, tell)
  if (signal?.aborted === true) return
  await history.reviseRows({
    filter: { tenantId, kind: 'error' },
    revise(row) {
      const after = seen(tally, row)
      return dryRun === true ? undefined : after
    },
    also: (changes, session) => followRows(run, changes, session),
    ...(signal !== undefined && { signal })
  })
  tell()
  if (dryRun !== true) await settleTenant(run, tenantId)
}

async function settleTenant({ storage, history, registry, options }: Run, tenantId: string) {
  let after: string | undefined
  while (options.signal?.aborted !== true) {
    const succession = await nextSuccession(storage, tenantId, after)
    if (succession === undefined) break
    await settleIssue({ storage, registry, rows: history.rows }, succession)
    after = succession.id
  }
}

function seen(tally: IssueTally, row: StoredRow): StoredRow | undefined {
  const after = regroupedRow(row)
  const before = row.error?.fingerprint ?? ''
  tally.see(before, after?.error?.fingerprint ?? before)
  return after
}

async function regroupDocuments(run: Run, tenantId: string, tell: () => void): Promise<void> {
  const { storage, options, tally } = run
  let last: { readonly occurredAt: Date; readonly _id: Binary } | undefined
  while (options.signal?.aborted !== true) {
    const found = await storage.collections.rows
      .find({
        tenantId,
        rareKind: 'error',
        ...(last !== undefined && {
          occurredAt: { $lte: last.occurredAt },
          $or: [{ occurredAt: { $lt: last.occurredAt } }, { _id: { $lt: last._id } }]
        })
      })
      .sort(NEWEST_FIRST)
      .limit(BATCH)
      .toArray()
    last = found.at(-1)
    if (last === undefined) return
    const changes = changesOf(found, { revise: (row) => seen(tally, row) })
    if (changes.length > 0 && options.dryRun !== true) await moveBatch(run, changes)
    tell()
  }
}

/** Read again within the transaction: a row may have been erased or sealed since. */
function moveBatch(run: Run, changes: readonly RowChange[]): Promise<void> {
  const ids = changes.map(({ before }) => before._id)
  const { storage } = run
  return storage.transaction(async (session) => {
    const { rows } = storage.collections
    const found = await rows.find({ _id: { $in: ids } }, { session }).toArray()
    const moved = changesOf(found, { revise: regroupedRow })
    if (moved.length === 0) return
    await rows.bulkWrite(
      moved.flatMap(({ after: { _id, error } }) =>
        error === undefined ? [] : [{ updateOne: { filter: { _id }, update: { $set: { error } } } }]
      ),
      { session, ordered: false }
    )
    await followRows(run, moved, session)
  })
}

async function followRows(
  { storage, registry }: Run,
  changes: readonly RowChange[],
  session: ClientSession
): Promise<void> {
  await moveRollups(storage, registry, changes, session)
  await noteSuccessors(storage, changes, session)
}
