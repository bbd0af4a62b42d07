// Which arm of a split a contact takes: always the same in a flow. Pure.
import { createHash } from 'node:crypto'
import type { SplitStep } from '../../../ledger/flow-steps.ts'

/** The place of the arm. Percentages add up to 100, so an arm of 0 percent is never taken. */
export function armOfSplit(
  { arms }: SplitStep,
  key: { readonly flowId: string; readonly path: string; readonly externalId: string }
): number {
  const text = JSON.stringify([key.flowId, key.path, key.externalId])
  const point = (createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32) * 100
  let end = 0
  for (const [at, { percent }] of arms.entries()) {
    end += percent
    if (point < end) return at
  }
  // Rounding may leave a gap below 100.
  return arms.reduce((last, { percent }, at) => (percent > 0 ? at : last), 0)
}
