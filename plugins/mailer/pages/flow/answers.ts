// The answers of the admin API about flows as the pages read them.
import type { Static } from '@keelson/sdk'
import type {
  flowLineSchema,
  flowRunSchema,
  flowSchema,
  flowSimulationSchema,
  flowVersionLineSchema,
  flowVersionSchema
} from '../../admin/flow-answers.ts'
import type { eventsSchema } from '../../admin/record-answers.ts'
import type { FlowCounts } from '../../campaigns/flows/count-steps.ts'

/** A flow; its draft may be unfinished. */
export type FlowAnswer = Static<typeof flowSchema>
/** A flow in the list. */
export type FlowLine = Static<typeof flowLineSchema>
/** A run. */
export type RunAnswer = Static<typeof flowRunSchema>
/** A published version in the list. */
export type VersionLine = Static<typeof flowVersionLineSchema>
/** A published version with its steps. */
export type VersionAnswer = Static<typeof flowVersionSchema>
/** Where the runs are. */
export type CountsAnswer = FlowCounts
/** The way of a contact through the flow. */
export type SimulationAnswer = Static<typeof flowSimulationSchema>

/** Events that are registered, and others that were recorded. */
export type EventsAnswer = Static<typeof eventsSchema>

/** How a flow is: its word and its colour. */
export type FlowState = 'live' | 'paused' | 'new'

/** A flow that was never published is new; published, it is live or paused. */
export const stateOf = ({
  version,
  enabled
}: Pick<FlowAnswer, 'version' | 'enabled'>): FlowState =>
  version === 0 ? 'new' : enabled ? 'live' : 'paused'

/** The colour of a state. */
export const STATE_TONES: Readonly<Record<FlowState, string>> = {
  live: 'good',
  paused: 'warn',
  new: ''
}

/** What an editor works on: the draft, or what is published where there is none. */
export function editedOf({ draft, steps, trigger, goal }: FlowAnswer) {
  return {
    steps: draft?.steps ?? steps,
    trigger: draft?.trigger ?? trigger,
    goal: draft?.goal ?? goal ?? ''
  }
}
