// Announces a revocation to every process with a token cache, and waits until each knows it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Collection } from 'mongodb'
import type { StoredState } from '../storage/rows.ts'

/** Id of the row whose version rises with every revocation. */
export const CACHE_VERSION = 'cache-version'
/** Prefix of the rows of processes with a token cache, each with the version it knows. */
export const HOLDER = 'cache-holder '
/** The first id after those rows. */
const AFTER_HOLDERS = 'cache-holder!'
/** After so long without an answer, a process no longer uses its cache. */
export const SILENCE_MS = 1000
const LONGEST_PAUSE_MS = 32

/** The cache of this process. */
export interface OwnCache {
  readonly holder: string
  changed(): void
}

type Rows = Pick<Collection<StoredState>, 'findOne' | 'findOneAndUpdate'>

/** Raises the version. The cache of this process is empty afterwards, also when it rejects. */
export async function raiseVersion(rows: Rows, own: OwnCache): Promise<number> {
  try {
    const row = await rows.findOneAndUpdate(
      { _id: CACHE_VERSION },
      { $inc: { version: 1 } },
      { upsert: true, returnDocument: 'after' }
    )
    return row?.version ?? 0
  } finally {
    own.changed()
  }
}

/**
 * Resolves once no process answers from an older cache: each has written that it knows this version, or
 * has been without an answer for so long that it does not use its cache.
 */
export async function allHeard(
  version: number,
  rows: Rows,
  { holder }: Pick<OwnCache, 'holder'>
): Promise<void> {
  const until = performance.now() + SILENCE_MS
  const behind = { $gt: HOLDER, $lt: AFTER_HOLDERS, $ne: holder }
  for (let ms = 1; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    const isHeard = await rows
      .findOne({ _id: behind, version: { $lt: version } }, { projection: { _id: 1 } })
      .then((row) => row === null)
      // When the database cannot be asked, wait the full time.
      .catch(() => false)
    const left = until - performance.now()
    if (isHeard || left <= 0) return
    await pause(Math.min(ms, left))
  }
}
