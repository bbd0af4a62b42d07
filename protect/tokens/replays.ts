// DPoP proofs that were used, in the memory of this process.
import { VerifierUnavailable } from '../errors.ts'
import type { ReplayStore } from '../options.ts'

/** Most proofs that are remembered. A proof that counts may not be forgotten, so further ones are refused. */
const MAX_KEPT = 100_000
/** How many are looked at for each new one. */
const SWEPT = 16

export function createMemoryReplays(now: () => Date, limit = MAX_KEPT): ReplayStore {
  const used = new Map<string, number>()
  /** In the order of their end: each lasts equally long. */
  const sweep = (): void => {
    let looked = 0
    for (const [text, until] of used) {
      if (until > now().getTime() || looked++ >= SWEPT) return
      used.delete(text)
    }
  }
  return {
    isFirst(text, until) {
      sweep()
      if (used.has(text)) return false
      if (used.size >= limit) throw new VerifierUnavailable('Too many DPoP proofs are remembered.')
      used.set(text, until.getTime())
      return true
    }
  }
}
