// Flows and their runs as stored.

import type { Owner } from '@keelson/sdk'
import type { VersionedRow, VersionRow } from '@keelson/sdk/versions'
import type { NotEnteredReason } from './event-rows.ts'
import type { FlowStep } from './flow-steps.ts'
import type { QueuedRow } from './queued-row.ts'

/** What starts a run. */
export type FlowTrigger =
  | { readonly type: 'event'; readonly eventName: string; readonly once: boolean }
  | {
      readonly type: 'segment_enter'
      readonly segmentDefinition: unknown
      readonly once: boolean
    }
  | {
      readonly type: 'cron'
      readonly cronExpression: string
      readonly segmentDefinition: unknown
      readonly once: boolean
    }

/** A reading of the segment of a trigger, page by page, over several ticks if need be. */
export interface TriggerScan {
  /** The trigger and the time from which it counts: another one begins anew. */
  readonly of: string
  readonly number: number
  /** The time of a cron expression that it is for. */
  readonly at?: Date
  /** Left out at the start and at the end. */
  readonly cursor?: string
  readonly isDone: boolean
  /** Only remembers who is in the segment. */
  readonly isBaseline: boolean
  /** Contacts that it did not take, by reason; left out while there are none. */
  readonly notEntered?: Readonly<Partial<Record<NotEnteredReason, number>>>
}

/** A row of `mailer_not_entered`: a contact that a scan of the segment did not take. Events say it themselves. */
export interface NotEnteredRow {
  /** Of flow, contact and reason. */
  readonly _id: string
  readonly flowId: string
  readonly externalId: string
  readonly reason: NotEnteredReason
  /** Of a `cron` flow the time of its last scan, of a `segment_enter` flow of the first. */
  readonly at: Date
}

/** A row of `mailer_flow_members`: a contact who is in the segment of a `segment_enter` flow. */
export interface FlowMemberRow {
  readonly _id: string
  readonly flowId: string
  readonly externalId: string
  /** The number of the scan that met the contact last. */
  readonly scan: number
}

/** What is drafted and published together. */
export interface FlowContent {
  readonly steps: readonly FlowStep[]
  /** Missing in drafts and versions of before it was part of them. */
  readonly trigger?: FlowTrigger
  /** Empty for none; missing where the trigger is. */
  readonly goal?: string
}

/** What an editor works on, and a note of the editor. */
export interface FlowDraft extends FlowContent {
  readonly notes?: string
}

/** A row of `mailer_flows`. Steps, trigger and goal beside the draft are the published ones. */
export interface FlowRow extends VersionedRow, FlowContent {
  readonly name: string
  readonly description?: string
  readonly enabled: boolean
  /** Events before this time start no run. */
  readonly enabledAt?: Date
  /** Until the first publish that of the draft. */
  readonly trigger: FlowTrigger
  readonly draft: FlowDraft | null
  /** Set while only contacts with a tag get past the first step; `of` is the version without it. */
  readonly gate?: { readonly tag: string; readonly of: number } | null
  readonly audience?: string
  readonly expectedVolumePerWeek?: number
  readonly lastTriggerScanAt?: Date
  /** The scan of the trigger's segment that is under way, or the last one. */
  readonly triggerScan?: TriggerScan
  /** Who let it send, asked again with each batch of mails. Missing: the mailer itself lets it. */
  readonly owner?: Owner | null
}

/** A row of `mailer_flow_versions`: what runs of this version follow, for as long as they take. */
export interface FlowVersionRow extends VersionRow, FlowContent {
  readonly flowId: string
}

/** Whether a run goes on. */
export type RunStatus = 'active' | 'completed' | 'exited' | 'failed'

/** One thing that happened in a run; at most the 200 newest are kept. */
export interface RunEntry {
  readonly at: Date
  /** The step, with the arms that lead to it. */
  readonly path: string
  readonly action:
    | 'entered'
    | 'wait_started'
    | 'wait_completed'
    | 'condition_evaluated'
    | 'branch_taken'
    | 'sent'
    | 'send_skipped'
    | 'send_deferred'
    | 'tagged'
    | 'event_fired'
    | 'webhook_called'
    | 'exited'
    | 'failed'
  readonly detail?: Readonly<Record<string, unknown>>
}

/** A row of `mailer_flow_runs`, and an item of its queue: `_id` derives from flow and event. */
export interface FlowRunRow extends QueuedRow {
  readonly flowId: string
  readonly flowSlug: string
  readonly flowVersion: number
  readonly externalId: string
  readonly emailAtEntry: string | null
  readonly triggerEvent: {
    readonly name: string
    readonly properties: Readonly<Record<string, unknown>>
  } | null
  readonly triggerDedupeKey: string
  /** Of the event that started it: see `EventRow`. */
  readonly chain?: number
  readonly status: RunStatus
  /** The next step, or the one that it ended at, with the arms that lead to it: `3`, `2.true.0`. */
  readonly path: string
  /** Set while the run waits for an event. */
  readonly waitingFor?: string
  /** The property that the event must have; null: the event that started the run has no such value. */
  readonly waitingMatch?: {
    readonly property: string
    readonly value: string | number | boolean | null
  }
  /** Set while the step at `path` waits, together with `nextActionAt`, its end. */
  readonly waitSince?: Date
  readonly nextActionAt?: Date
  /** Why it does not go on though it is due, for people: who let its flow send may no longer send. */
  readonly hold?: { readonly cause: string; readonly message: string; readonly since: Date }
  /** Failed calls of the webhook step at `path`. */
  readonly failedCalls?: number
  readonly history: readonly RunEntry[]
  readonly enteredAt: Date
  readonly exitedAt?: Date
  readonly exitReason?: string
}
