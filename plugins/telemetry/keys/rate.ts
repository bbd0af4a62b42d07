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
  /** One request to the common count at a time: many at once would take it all for this process. */
  refilling: Promise<void> | undefined
}

const MINUTE_MS = 60_000
const KEYS = 5000
/** A process takes a fiftieth of the minute's limit at a time, so that few commands are needed. */
const SHARE = 50

export function createRateLimiter(rates: Collection<StoredRate>, now: () => Date): RateLimiter {
  const allowances = new BoundedMap<string, Allowance>(KEYS)

  function allowanceOf(id: string): Allowance {
    const minute = Math.floor(now().getTime() / MINUTE_MS)
    const known = allowances.get(id)
    if (known?.minute === minute) return known
    const fresh: Allowance = { minute, left: 0, isSpent: false, refilling: undefined }
    allowances.set(id, fresh)
    return fresh
  }

  function refill(id: string, limit: number, missing: number, allowance: Allowance): Promise<void> {
    allowance.refilling ??= askFor(id, limit, missing, allowance).finally(() => {
      allowance.refilling = undefined
    })
    return allowance.refilling
  }

  async function askFor(id: string, limit: number, missing: number, allowance: Allowance) {
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
      let taken = 0
      for (;;) {
        // Taken before any await: others may be asking at the same time.
        const more = Math.min(wanted - taken, allowance.left)
        allowance.left -= more
        taken += more
        if (taken === wanted || allowance.isSpent) break
        await refill(_id, maxPerMinute, wanted - taken, allowance)
      }
      if (!isWhole || taken === wanted) return taken
      allowance.left += taken
      return 0
    },
    get retryAfterSeconds() {
      return Math.max(1, Math.ceil((MINUTE_MS - (now().getTime() % MINUTE_MS)) / 1000))
    }
  }
}
