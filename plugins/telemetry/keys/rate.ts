// Records a minute for each key, shared by all processes: each takes allowances from a common count.
import type { Collection } from 'mongodb'
import { BoundedMap } from '../storage/bounded-map.ts'

/** What a key has used of a minute, over all processes. */
export interface StoredRate {
  /** `<key id>|<minute>` */
  _id: string
  used: number
  expiresAt: Date
}

export interface RateLimiter {
  /** How many of `wanted` records fit. All or none when `isWhole`. */
  take(
    key: { readonly _id: string; readonly maxPerMinute: number },
    wanted: number,
    isWhole: boolean
  ): Promise<number>
  /** Seconds until a key may write again. */
  readonly retryAfterSeconds: number
}

interface Allowance {
  readonly minute: number
  /** Granted to this process and not used yet. */
  left: number
  /** The common count has reached the limit. */
  isSpent: boolean
}

const MINUTE_MS = 60_000
const KEYS = 5000
/** A process takes a tenth of the minute's limit at a time, so that few commands are needed. */
const SHARE = 10

export function createRateLimiter(rates: Collection<StoredRate>, now: () => Date): RateLimiter {
  const allowances = new BoundedMap<string, Allowance>(KEYS)

  function allowanceOf(id: string): Allowance {
    const minute = Math.floor(now().getTime() / MINUTE_MS)
    const known = allowances.get(id)
    if (known?.minute === minute) return known
    const fresh: Allowance = { minute, left: 0, isSpent: false }
    allowances.set(id, fresh)
    return fresh
  }

  async function refill(id: string, limit: number, missing: number, allowance: Allowance) {
    const asked = Math.max(missing, Math.ceil(limit / SHARE))
    const row = await rates.findOneAndUpdate(
      { _id: `${id}|${allowance.minute}` },
      {
        $inc: { used: asked },
        $setOnInsert: { expiresAt: new Date((allowance.minute + 3) * MINUTE_MS) }
      },
      { upsert: true, returnDocument: 'after' }
    )
    const before = (row?.used ?? asked) - asked
    const granted = Math.max(0, Math.min(asked, limit - before))
    if (granted < asked) allowance.isSpent = true
    allowance.left += granted
  }

  return {
    async take({ _id, maxPerMinute }, wanted, isWhole) {
      const allowance = allowanceOf(_id)
      // Taken before the await: others may be asking at the same time.
      const ready = Math.min(wanted, allowance.left)
      allowance.left -= ready
      if (ready === wanted) return wanted
      if (!allowance.isSpent) await refill(_id, maxPerMinute, wanted - ready, allowance)
      const more = Math.min(wanted - ready, allowance.left)
      const isRefused = isWhole && ready + more < wanted
      allowance.left += isRefused ? ready : -more
      return isRefused ? 0 : ready + more
    },
    get retryAfterSeconds() {
      return Math.max(1, Math.ceil((MINUTE_MS - (now().getTime() % MINUTE_MS)) / 1000))
    }
  }
}
