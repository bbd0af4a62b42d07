// The seven totals of this process.
import type { Counters } from './types.ts'

export type MutableCounters = { -readonly [Name in keyof Counters]: number }

export const startCounters = (): MutableCounters => ({
  rejected: 0,
  sampled: 0,
  capped: 0,
  deduped: 0,
  truncated: 0,
  defaulted: 0,
  rollupSkipped: 0
})
