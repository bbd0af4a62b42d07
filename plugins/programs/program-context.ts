// What every part of programs works with: storage, the queue of runs, and the mailer as other plugins see it.

import type { CampaignMailer, MailerCore } from '@keelson/mailer/contracts'
import type { Actor, Clock, Queue } from '@keelson/sdk'
import type { ChangeEntry } from '@keelson/sdk/versions'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientSession, Collection } from 'mongodb'
import type { FactsAdapter } from './contracts.ts'
import type {
  ProgramDecisionRow,
  ProgramRow,
  ProgramRunRow,
  ProgramVersionRow
} from './storage/program-rows.ts'

/** The kind of campaigns that programs are to the mailer. */
export const PROGRAM = 'program'

/** What is stored. */
export interface ProgramCollections {
  readonly programs: Collection<ProgramRow>
  readonly programVersions: Collection<ProgramVersionRow>
  readonly programRuns: Collection<ProgramRunRow>
  readonly programDecisions: Collection<ProgramDecisionRow>
}

/** What every part of programs works with. Functions take it first. */
export interface ProgramContext {
  readonly collections: ProgramCollections
  readonly runs: Queue<ProgramRunRow>
  readonly mailer: Pick<MailerCore, 'as'>
  readonly mails: CampaignMailer
  /** What the host knows of subjects; without it contacts are the subjects. */
  readonly facts: FactsAdapter | undefined
  /** Days that decisions are kept; undefined: for ever. */
  readonly decisionRetentionDays: number | undefined
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Majority, journaled; retried on conflict. */
  withTransaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
}

/** Who changes a program or a run. */
export interface By {
  readonly by: Actor
}

/** Writes the audit entry of a change, with the change. */
export const recordChange = (
  { mailer }: ProgramContext,
  entry: ChangeEntry,
  { by }: By,
  session: ClientSession
): Promise<void> => mailer.as(by).audit(entry, { session })
