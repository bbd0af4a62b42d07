// The answers of the admin API about flows as the pages read them.
import type { AsJson } from '@keelson/ui'
import type { FlowRow, FlowRunRow, FlowVersionRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { StepCounts } from './canvas.ts'

/** A flow; its draft may be unfinished. */
export type FlowAnswer = Omit<AsJson<FlowRow>, 'steps' | 'draft' | 'trigger'> & {
  readonly steps: readonly FlowStep[]
  readonly draft: { readonly steps: unknown; readonly notes?: string } | null
  readonly trigger: FlowRow['trigger']
}
/** A run. */
export type RunAnswer = AsJson<FlowRunRow>
/** A published version. */
export type VersionAnswer = Omit<AsJson<FlowVersionRow>, 'steps'> & {
  readonly steps: readonly FlowStep[]
}
/** Where the runs are. */
export interface CountsAnswer {
  readonly version: number
  readonly totals: StepCounts
  readonly steps: readonly (StepCounts & { readonly path: string })[]
}

/** Events that are registered, and others that were recorded. */
export interface EventsAnswer {
  readonly registered: readonly { readonly name: string }[]
  readonly seen: readonly string[]
}

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
