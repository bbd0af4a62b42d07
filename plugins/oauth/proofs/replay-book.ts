// Proofs and assertions that were used: each counts once, in every process.
import type { Collection } from 'mongodb'
import { hashOf } from '../crypto/handles.ts'
import type { StoredReplay } from '../storage/rows.ts'

/** Rows outlive their text: the database deletes by its own clock, which may be ahead. */
export const REPLAY_MARGIN_SECONDS = 60

export interface ReplayBook {
  /** True for the first call with a text; it is remembered until `until`. */
  isFirst(text: string, until: Date): Promise<boolean>
}

export function createReplayBook(rows: Collection<StoredReplay>): ReplayBook {
  return {
    async isFirst(text, until) {
      try {
        await rows.insertOne({ _id: hashOf(text), expiresAt: until })
        return true
      } catch (error) {
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    }
  }
}
