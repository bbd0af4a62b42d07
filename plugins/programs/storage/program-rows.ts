// Programs, their runs and decisions as stored.

import type { Owner } from '@keelson/sdk'
import type { VersionedRow, VersionRow } from '@keelson/sdk/versions'
import type { ProgramDefinition } from './definition.ts'
import type { Decision, ProgramState } from './program-state.ts'

/** A row of `mailer_programs`. Its draft may be of any form. */
export interface ProgramRow extends VersionedRow {
  readonly name: string
  readonly description?: string
  readonly enabled: boolean
  /** Events before this time enter no subject. */
  readonly enabledAt?: Date
  /** Published; null until the first publish. Every run follows the newest. */
  readonly definition: ProgramDefinition | null
  /** Who let it send, asked again with each batch of mails. Missing: the mailer itself lets it. */
  readonly owner?: Owner | null
}

/** A row of `mailer_program_versions`. */
export interface ProgramVersionRow extends VersionRow {
  readonly programId: string
  readonly definition: ProgramDefinition
}

/** A row of `mailer_program_runs`, and an item of its queue: a subject is in a program once, ever. */
export interface ProgramRunRow extends ProgramState {
  readonly _id: string
  readonly programId: string
  readonly programSlug: string
  readonly subjectId: string
  /** Of the queue: where the run is in it. */
  readonly state?: 'due' | 'leased' | 'done' | 'parked'
  /** Of the queue: when every worker that held it had died. */
  readonly parkedAt?: Date
}

/** A row of `mailer_program_decisions`: every look at a run writes one. */
export interface ProgramDecisionRow extends Decision {
  /** `<runId>:<look>` */
  readonly _id: string
  readonly runId: string
  readonly subjectId: string
  readonly version: number
  readonly at: Date
  /** The run after it: a look that is repeated after a crash follows what it decided before. */
  readonly after: ProgramState
  readonly nextAt?: Date
  /** With `programs.decisionRetentionDays`. */
  readonly expiresAt?: Date
}
