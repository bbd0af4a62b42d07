// Makes a revocation known to every process that remembers tokens, and waits until each has heard of it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Collection } from 'mongodb'
import type { StoredState } from '../storage/rows.ts'

/** The row whose version goes up with every revocation. */
export const CACHE_VERSION = 'cache-version'
/** The rows of processes that remember tokens, each with the version it has heard of. */
export const HOLDER = 'cache-holder '
/** The first id behind them. */
const AFTER_HOLDERS = 'cache-holder!'
/** A process that has heard nothing for so long answers nothing from memory. */
export const SILENCE_MS = 1000
const LONGEST_PAUSE_MS = 32

/** Of this process's own cache. */
export interface OwnCache {
  readonly holder: string
  changed(): void
}

type Rows = Pick<Collection<StoredState>, 'findOne' | 'findOneAndUpdate'>

/** Raises the version. The cache of this process is empty when it resolves, and when it rejects. */
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
 * Resolves once no process answers from memory what an older version allowed: each has written that it
 * heard of this one, or has heard nothing for so long that it does not trust its memory.
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
      // Whoever cannot ask waits for the longest that it can take.
      .catch(() => false)
    const left = until - performance.now()
    if (isHeard || left <= 0) return
    await pause(Math.min(ms, left))
  }
}
