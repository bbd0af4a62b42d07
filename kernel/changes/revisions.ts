// Revisions of the platform's settings in the database: one row for each change, with who, when, and what became of it.

import { insertNew } from '@keelson/sdk'
import type { RevisionFailure, SettingsRevision } from '@keelson/sdk/contracts/kernel-plugins'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import type { Db } from 'mongodb'
import type { PlatformChanges } from '../platform/stored-changes.ts'

/** A revision with everything that the settings say by then. */
export interface Revision extends SettingsRevision {
  readonly changes: PlatformChanges
}

interface StoredRevision extends Omit<SettingsRevision, 'revision'> {
  readonly _id: number
  /** JSON, because the names of settings may hold dots. */
  readonly changes: string
}

const LISTED = 200
/** Older revisions are removed. */
const KEPT = 1_000

const rowsOf = (db: Db) => db.collection<StoredRevision>(`${KERNEL_PREFIX}settings`)

function asRevision({ _id, changes, ...row }: StoredRevision): Revision {
  return { ...row, revision: _id, changes: JSON.parse(changes) as PlatformChanges }
}

/** The revision to start with: the newest that did not fail. Undefined when the config file says it all. */
export async function newestRevision(db: Db, below = Infinity): Promise<Revision | undefined> {
  const filter = { state: { $ne: 'failed' }, _id: { $lt: below } } as const
  const [row] = await rowsOf(db).find(filter).sort({ _id: -1 }).limit(1).toArray()
  return row && asRevision(row)
}

/** The newest first, with failed ones. */
export async function listRevisions(db: Db, limit = LISTED): Promise<readonly SettingsRevision[]> {
  const rows = await rowsOf(db)
    .find({}, { projection: { changes: 0 } })
    .sort({ _id: -1 })
    .limit(limit)
    .toArray()
  return rows.map(({ _id, ...row }) => ({ ...row, revision: _id }))
}

/** Adds the next revision; undefined when another change came first. */
export async function addRevision(
  db: Db,
  { changes, ...row }: Omit<Revision, 'revision' | 'state'>,
  base: number
): Promise<SettingsRevision | undefined> {
  const rows = rowsOf(db)
  const [newest] = await listRevisions(db, 1)
  const standing = await newestRevision(db)
  if ((standing?.revision ?? 0) !== base) return undefined
  const next = { ...row, state: 'new' as const }
  const _id = (newest?.revision ?? 0) + 1
  const added = await insertNew(rows, [{ ...next, _id, changes: JSON.stringify(changes) }])
  if (added === 0) return undefined
  await rows.deleteMany({ _id: { $lte: _id - KEPT } })
  return { ...next, revision: _id }
}

/** Notes that a process runs with it. */
export async function markApplied(db: Db, revision: number, appliedAt: Date): Promise<void> {
  await rowsOf(db).updateOne(
    { _id: revision, state: { $ne: 'applied' } },
    { $set: { state: 'applied', appliedAt }, $unset: { failure: '' } }
  )
}

/** Notes why a process could not start with it. One that runs elsewhere stays in force. */
export async function recordFailure(
  db: Db,
  revision: number,
  failure: RevisionFailure
): Promise<void> {
  const rows = rowsOf(db)
  const failed = { $set: { state: 'failed' as const, failure } }
  const { matchedCount } = await rows.updateOne({ _id: revision, state: 'new' }, failed)
  if (matchedCount === 0) await rows.updateOne({ _id: revision }, { $set: { failure } })
}
