// Plays a program through for one subject, in a moment and without a mail. Pure.

import type { ProgramDefinition } from '../storage/definition.ts'
import {
  type Decision,
  newState,
  type ProgramArm,
  type ProgramState
} from '../storage/program-state.ts'
import type { Facts } from './conditions.ts'
import { planLook } from './plan-look.ts'

/** A subject that does not exist. */
export interface Scenario {
  readonly start: Date
  /** At most 365. */
  readonly days: number
  readonly facts: Facts
  /** Facts that change on the way, by days after the start. */
  readonly changes?: readonly { readonly day: number; readonly facts: Facts }[]
  readonly arm?: ProgramArm
  readonly timezone?: string
}

/** A decision of the simulation. Looks that decide the same as the one before are left out. */
export interface SimulatedDecision extends Decision {
  readonly at: Date
}

const DAY = 86_400_000
const MOST_LOOKS = 10_000

/** Every mail is taken at once. */
export function simulateProgram(
  definition: ProgramDefinition,
  scenario: Scenario
): { readonly decisions: readonly SimulatedDecision[]; readonly state: ProgramState } {
  const { start, days, arm = 'treatment', timezone } = scenario
  const end = start.getTime() + Math.min(days, 365) * DAY
  const decisions: SimulatedDecision[] = []
  let state: ProgramState = { ...newState('', '', {}, start), arm }
  let now = start
  let sentAt = start
  for (let look = 0; look < MOST_LOOKS && now.getTime() <= end; look++) {
    const flight = state.inFlight && ({ kind: 'accepted', at: sentAt } as const)
    const facts = factsAt(scenario, now)
    const plan = planLook(definition, state, {
      now,
      facts,
      recipients: ['contact'],
      timezone,
      flight
    })
    const { kind, actionId, reason } = plan.decision
    const last = decisions.at(-1)
    const isSame = last?.kind === kind && last.actionId === actionId && last.reason === reason
    if (!isSame || kind === 'send') decisions.push({ at: now, ...plan.decision })
    if (kind === 'send') sentAt = now
    state = plan.state
    if (plan.nextAt === undefined) break
    now = plan.nextAt
  }
  return { decisions, state }
}

function factsAt({ start, facts, changes = [] }: Scenario, now: Date): Facts {
  const day = (now.getTime() - start.getTime()) / DAY
  const inOrder = changes.filter((change) => change.day <= day).toSorted((a, b) => a.day - b.day)
  return Object.assign({}, facts, ...inOrder.map((change) => change.facts))
}
