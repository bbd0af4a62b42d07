// The pace of a provider: how many mails may leave now, shared by all processes.
import type { Limit, LimitOptions } from '@keelson/sdk'
import type { Lane } from '../../ledger/send-row.ts'

/** Bulk mail leaves a tenth of the rate to urgent mail. */
const BULK_SHARE = 0.9
/** Rates are kept over windows of this length. */
const WINDOW_SECONDS = 1

/** The pace of one provider. */
export interface Pace {
  /** How many of `wanted` may leave now; 0: ask again after `waitMs`. */
  take(lane: Lane, wanted: number): Promise<{ readonly granted: number; readonly waitMs: number }>
}

type MakeLimit = (name: string, options: LimitOptions) => Limit

/** Makes the pace of a provider that takes `ratePerSecond` mails over all processes. */
export function createPace(limit: MakeLimit, provider: string, ratePerSecond: number): Pace {
  // A rate below one a second is one in a longer window.
  const windowSeconds = Math.max(WINDOW_SECONDS, Math.ceil(1 / ratePerSecond))
  const max = Math.max(1, Math.floor(ratePerSecond * windowSeconds))
  const all = limit(`send ${provider}`, { max, windowSeconds })
  const bulkMax = Math.max(1, Math.floor(max * BULK_SHARE))
  const bulk = limit(`send bulk ${provider}`, { max: bulkMax, windowSeconds })
  return {
    async take(lane, wanted) {
      const first = lane === 'bulk' ? await bulk.take(provider, { count: wanted }) : undefined
      const allowed = first?.granted ?? wanted
      if (first !== undefined && allowed === 0) return { granted: 0, waitMs: waitOf(first) }
      const taken = await all.take(provider, { count: allowed })
      if (first !== undefined) bulk.giveBack(provider, allowed - taken.granted)
      return { granted: taken.granted, waitMs: waitOf(taken) }
    }
  }
}

const waitOf = ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): number =>
  retryAfterSeconds * 1000
