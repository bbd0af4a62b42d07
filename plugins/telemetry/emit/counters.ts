// The seven totals of this process.

import type { Counters } from '../schemas/system.ts'
export const COUNTER_NAMES = [
  'rejected',
  'sampled',
  'capped',
  'deduped',
  'truncated',
  'defaulted',
  'rollupSkipped'
] as const satisfies readonly (keyof Counters)[]

export type CounterName = (typeof COUNTER_NAMES)[number]

/** Called with every count, for metrics of the host. */
export type OnCount = (name: CounterName, by: number) => void

export class CounterSet {
  readonly #totals: Record<CounterName, number> = {
    rejected: 0,
    sampled: 0,
    capped: 0,
    deduped: 0,
    truncated: 0,
    defaulted: 0,
    rollupSkipped: 0
  }
  readonly #onCount: OnCount | undefined

  constructor(onCount?: OnCount) {
    this.#onCount = onCount
  }

  add(name: CounterName, by = 1): void {
    if (by === 0) return
    this.#totals[name] += by
    this.#onCount?.(name, by)
  }

  snapshot(): Counters {
    return { ...this.#totals }
  }
}
