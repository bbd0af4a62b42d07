// The state of a run that its interpretation starts from, and what an interpretation comes to.
import type { FlowRunRow, RunEntry } from '../../../ledger/flow-rows.ts'
import type { PlainStep } from '../../../ledger/flow-steps.ts'
import type { FactKind } from './facts.ts'

/** A run, as far as its course depends on it. */
export type RunState = Pick<
  FlowRunRow,
  'flowId' | 'externalId' | 'enteredAt' | 'triggerEvent' | 'path'
> & {
  readonly chain?: number
  /** Set while the step at `path` waits. */
  readonly waitSince?: Date
  readonly nextActionAt?: Date
}

/** A step of one type. */
export type StepOf<T extends PlainStep['type']> = Extract<PlainStep, { readonly type: T }>

/** What the steps of a run want done. Path and run make each of them unique, so doing one twice is harmless. */
export type Effect =
  | { readonly do: 'send'; readonly path: string; readonly step: StepOf<'send'> }
  | {
      readonly do: 'tag'
      readonly path: string
      readonly add: readonly string[]
      readonly remove: readonly string[]
    }
  | {
      readonly do: 'fire'
      readonly path: string
      readonly name: string
      readonly properties: Readonly<Record<string, unknown>>
      readonly chain: number
    }

/** Where a run is after its steps were taken. */
export type Rest =
  | {
      readonly kind: 'wait'
      readonly path: string
      readonly since: Date
      readonly until: Date
      /** The event that ends the wait early. */
      readonly event?: string
      /** What a property of the event must be. */
      readonly match?: NonNullable<FlowRunRow['waitingMatch']>
    }
  /** It goes on at `next` once the address was called, or was given up. `next` is left out at the end. */
  | {
      readonly kind: 'call'
      readonly path: string
      readonly next?: string
      readonly step: StepOf<'webhook'>
    }
  /** The step limit is reached: it goes on at once, in another pass. */
  | { readonly kind: 'more'; readonly path: string }
  /** `path` is the step that it ended at: of a completed run, the last that it took. */
  | { readonly kind: 'exited'; readonly path: string; readonly reason: string }
  | { readonly kind: 'completed'; readonly path: string }

/** What interpreting a run came to: facts that are missing, or its course. */
export type Interpretation =
  | { readonly kind: 'needs'; readonly facts: readonly FactKind[] }
  | {
      readonly kind: 'advanced'
      readonly effects: readonly Effect[]
      readonly entries: readonly RunEntry[]
      readonly rest: Rest
    }
