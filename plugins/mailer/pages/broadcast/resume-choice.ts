// How a person lets a paused broadcast go on: the next wave, another limit, or without risky addresses. Pure.
import type { BroadcastDetail } from '../broadcasts/answers.ts'

/** What was chosen. */
export interface ResumeChoice {
  /** People of the next wave; empty for all. */
  readonly size: string
  readonly way: 'limit' | 'without'
  /** The new limit in per cent; empty for the one that is suggested. */
  readonly limit: string
}

/** A rule that is over its limit. */
export type Tripped = BroadcastDetail['stopMeters'][number]

/** The rule that stopped a broadcast and keeps it; undefined when none does. */
export function trippedIn({ pauses = [], stopMeters }: BroadcastDetail): Tripped | undefined {
  if (!pauses.some(({ code }) => code === 'stop_rule')) return undefined
  return stopMeters.find(({ left }) => left === 0)
}

const FIELDS = {
  hard_bounce: 'hardBounceRatePct',
  complaint: 'complaintRatePct',
  unsubscribe: 'unsubscribeRatePct'
} as const

/** A whole per cent above the rate. */
export const suggestedLimit = ({ ratePct }: Tripped): number =>
  Math.min(100, Math.floor(ratePct) + 1)

/** The limit as typed; NaN for anything but a number. */
export const limitOf = ({ limit }: ResumeChoice, tripped: Tripped): number =>
  limit === '' ? suggestedLimit(tripped) : Number(limit)

/** Whether the rule would stop it again at once. */
export const isTooLow = (choice: ResumeChoice, tripped: Tripped): boolean =>
  choice.way === 'limit' && !(limitOf(choice, tripped) >= tripped.ratePct)

/** What is counted and sent for a choice. */
export function resumeBody(broadcast: BroadcastDetail, choice: ResumeChoice): object {
  const { recipientCap, queuedCount } = broadcast
  const tripped = trippedIn(broadcast)
  const cap = choice.size === '' ? null : queuedCount + Number(choice.size)
  return {
    ...(recipientCap != null && { recipientCap: cap }),
    ...(tripped !== undefined &&
      (choice.way === 'without'
        ? { leaveOut: 'never_mailed' }
        : { stopRules: { [FIELDS[tripped.rule]]: limitOf(choice, tripped) } }))
  }
}
