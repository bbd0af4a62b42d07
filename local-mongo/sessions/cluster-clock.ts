// The logical clock behind `$clusterTime` and `operationTime`: never goes back, moves with each write.
import { Timestamp } from 'bson'

/** How far ahead of this machine's clock a client's time may be. */
const MAX_DRIFT_SECONDS = 365 * 24 * 3600

/** The time after `last`: the second of `now` (milliseconds since 1970), then a counter within it. */
export function timeAfter(last: Timestamp, now: number): Timestamp {
  const seconds = Math.floor(now / 1000)
  return seconds > last.t
    ? new Timestamp({ t: seconds, i: 1 })
    : new Timestamp({ t: last.t, i: last.i + 1 })
}

/** Seconds and a counter within them, as MongoDB's timestamps. */
export class ClusterClock {
  readonly #now: () => number
  #seconds = 0
  #counter = 0
  /** The same object until the clock moves, so that what is made from it can be kept as long. */
  #current: Timestamp | undefined

  /** `now` answers milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.tick()
  }

  /** The time of the newest write. */
  get current(): Timestamp {
    this.#current ??= new Timestamp({ t: this.#seconds, i: this.#counter })
    return this.#current
  }

  /** Moves on, as each write does. */
  tick(): Timestamp {
    const next = timeAfter(this.current, this.#now())
    this.#seconds = next.t
    this.#counter = next.i
    this.#current = next
    return next
  }

  /** Whether a time is further ahead of this machine's clock than the clock follows. */
  isTooFarAhead(seen: Timestamp): boolean {
    return seen.getHighBitsUnsigned() > this.#now() / 1000 + MAX_DRIFT_SECONDS
  }

  /** Takes over a later time that a client has seen elsewhere; one far in the future is passed over. */
  advanceTo(seen: Timestamp): void {
    const seconds = seen.getHighBitsUnsigned()
    const counter = seen.getLowBitsUnsigned()
    if (this.isTooFarAhead(seen)) return
    if (seconds < this.#seconds || (seconds === this.#seconds && counter <= this.#counter)) return
    this.#seconds = seconds
    this.#counter = counter
    this.#current = undefined
  }
}
