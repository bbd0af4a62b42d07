// The logical sessions that clients use, ended when nobody has used them for half an hour.
import { commandError } from '../errors.ts'

/** Announced in `hello`. */
export const SESSION_TIMEOUT_MINUTES = 30
const MAX_SESSIONS = 100_000

/** Sessions by the hex of their id, with the time of their last use. */
export class SessionRegistry {
  readonly #lastUse = new Map<string, number>()
  readonly #limit: number

  constructor(limit: number = MAX_SESSIONS) {
    this.#limit = limit
  }

  get size(): number {
    return this.#lastUse.size
  }

  /** Notes a use, and makes the session when it is new. */
  touch(sessionId: string, now: number): void {
    if (!this.#lastUse.has(sessionId) && this.#lastUse.size >= this.#limit) {
      throw commandError(
        'TooManyLogicalSessions',
        `Unable to add session because there are too many (${this.#limit}) sessions`
      )
    }
    this.#lastUse.set(sessionId, now)
  }

  end(sessionId: string): void {
    this.#lastUse.delete(sessionId)
  }

  /** Takes out and answers the sessions that are over by time. */
  takeExpired(now: number): string[] {
    const before = now - SESSION_TIMEOUT_MINUTES * 60_000
    const expired = [...this.#lastUse].filter(([, used]) => used < before).map(([id]) => id)
    for (const id of expired) this.#lastUse.delete(id)
    return expired
  }

  all(): string[] {
    return [...this.#lastUse.keys()]
  }

  /** Each session with the time of its last use, milliseconds since 1970. */
  entries(): [string, number][] {
    return [...this.#lastUse]
  }
}
