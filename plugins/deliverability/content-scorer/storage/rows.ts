// What the content scorer stores: scores by content, and checks that were started.
import type { Collection } from 'mongodb'
import type { ScoreFeedback } from '../services/content-service.ts'

/** A score, kept for `cacheHours`. */
export interface ScoreRow {
  /** The content key. */
  readonly _id: string
  readonly checkId: string
  readonly score: number
  readonly feedback: readonly ScoreFeedback[]
  readonly summary: string | null
  readonly scoredAt: Date
  readonly expiresAt: Date
}

/** A check whose result was not read yet. */
export interface CheckRow {
  /** The id that the service gave. */
  readonly _id: string
  readonly slug: string
  readonly contentKey: string
  readonly startedAt: Date
  /** When it is asked for next. */
  readonly nextAt: Date
  readonly expiresAt: Date
}

/** The collections of the content scorer. */
export interface Stored {
  readonly scores: Collection<ScoreRow>
  readonly checks: Collection<CheckRow>
}
