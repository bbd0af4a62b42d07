// Proofs and assertions that were seen: each counts once, in every process.
import type { Collection } from 'mongodb'
import { hashOf } from '../crypto/handles.ts'
import type { StoredReplay } from '../storage/rows.ts'

/** The database forgets by its own clock, which may be ahead of that of this process. */
export const REPLAY_MARGIN_SECONDS = 60

export interface ReplayBook {
  /** True for the first to come with this text; it is remembered until then. */
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
