// The state of a subject in a program, and what a look at it comes to.
import { createHash } from 'node:crypto'
import type { ProgramDefinition } from './definition.ts'

/** Where an action is. Satisfied is for good; a cooldown ends by itself. */
export type ActionStatus = 'pending' | 'satisfied' | 'exhausted' | 'cooldown'

/** An action of one subject. */
export interface ActionState {
  readonly status: ActionStatus
  /** Mails that a provider took. */
  readonly attempts: number
  /** Mails in a row that no provider took. */
  readonly misses: number
  readonly lastSentAt?: Date
  /** It is not tried before. */
  readonly notBefore?: Date
  readonly satisfiedAt?: Date
  readonly cooldownUntil?: Date
}

/** Whether a run goes on. `sunset`: it led nowhere for too long. */
export type ProgramRunStatus = 'active' | 'completed' | 'exited' | 'sunset'

/** Subjects of the holdout are watched and get no mail. */
export type ProgramArm = 'treatment' | 'holdout'

/** A subject in a program. */
export interface ProgramState {
  readonly status: ProgramRunStatus
  readonly arm: ProgramArm
  readonly enteredAt: Date
  /** By id. An action that was published later appears with the next look. */
  readonly actions: Readonly<Record<string, ActionState>>
  readonly mailsSinceProgress: number
  readonly lastSentAt?: Date
  readonly lastProgressAt?: Date
  /** Mails that are on their way: what becomes of them decides whether an attempt is spent. */
  readonly inFlight?: { readonly actionId: string; readonly sendIds: readonly string[] }
  readonly exitReason?: string
  readonly endedAt?: Date
  /** Looks so far; together with the run it names a decision. */
  readonly looks: number
}

/** Why an action is not the next one. `ready`: it could be. */
export type ActionVerdict =
  | 'ready'
  | 'satisfied'
  | 'exhausted'
  | 'cooldown'
  | 'requires'
  | 'not_eligible'
  | 'attempt_gap'

/** What a look decides. */
export interface Decision {
  readonly kind: 'send' | 'holdout' | 'wait' | 'completed' | 'exited' | 'sunset'
  /** The action that is sent, or would be. */
  readonly actionId?: string
  /** A code: `next_best`, `in_flight`, `min_gap`, … */
  readonly reason: string
  /** The verdict on each action, by id. */
  readonly considered: Readonly<Record<string, ActionVerdict>>
}

/** What a look comes to. */
export interface Plan {
  readonly decision: Decision
  readonly state: ProgramState
  /** The next look; left out when the run has ended. */
  readonly nextAt?: Date
}

/** A subject that enters. Its arm depends on program and subject alone. */
export function newState(
  programId: string,
  subjectId: string,
  { holdoutPct = 0 }: Pick<ProgramDefinition, 'holdoutPct'>,
  enteredAt: Date
): ProgramState {
  const text = JSON.stringify([programId, subjectId, 'holdout'])
  const point = (createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32) * 100
  const arm = point < holdoutPct ? 'holdout' : 'treatment'
  return { status: 'active', arm, enteredAt, actions: {}, mailsSinceProgress: 0, looks: 0 }
}
