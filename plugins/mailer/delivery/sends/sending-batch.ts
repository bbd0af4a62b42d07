// What the steps of sending share: the batch, its mails, and the way to each provider.
import type { BatchRun, ItemResult } from '@keelson/sdk'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Lane, SendRow } from '../../ledger/send-row.ts'
import type { MarketingPause, Outage } from '../../ledger/state-row.ts'
import type { BatchJournal, DeliveryJournal } from '../journal/delivery-journal.ts'
import type { NamedHold } from './ask-gates.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { SendFacts } from './decide-send.ts'
import type { OutletHealth } from './outlet-health.ts'
import type { Pace } from './pace.ts'
import type { AnsweredMail } from './ready-mail.ts'
import type { Step } from './step.ts'
import type { Turns } from './turns.ts'

/** The way to a provider, shared by all batches of this process. */
export interface Outlet {
  readonly name: string
  readonly provider: MailProvider
  /** Read with each batch; changed by what becomes of mails. */
  readonly health: OutletHealth
  readonly pace: Pace
  /** Deliveries at a time. */
  readonly concurrency: number
  readonly turns: Turns
  /** One batch of a lane records attempts at a time, so that few are open when the process dies. */
  readonly doors: Readonly<Record<Lane, Turns>>
}

/** What stops mails, read with one command. */
export interface Stops {
  /** Counts pauses and cancellations. */
  readonly changes: number
  readonly pause: MarketingPause | null
  readonly outages: ReadonlyMap<string, Outage>
}

/** What was read, in answer to a question of this time of `performance.now()`. */
export interface ReadStops {
  readonly stops: Stops
  readonly at: number
}

/** The last read of a process. */
export interface LastRead {
  read: Promise<ReadStops> | undefined
  startedAt: number
}

/** What a batch knows of pauses. Times are of `performance.now()`. */
export interface StopWatch {
  readonly freshMs: number
  readAt: number
  stops: Stops
  /** The mails that were free to leave when the batch began. */
  facts: readonly SendFacts[]
  /** Of these, the ids of those that a pause stopped since. */
  readonly stopped: Set<string>
  reading: Promise<void> | undefined
}

/** What a batch is opened with. */
export interface BatchParts {
  readonly context: MailerContext
  readonly run: BatchRun
  readonly campaigns: CampaignRules
  /** By the name of the provider. */
  readonly outlets: ReadonlyMap<string, Outlet>
  /** The journals of this machine; undefined without a folder for them. */
  readonly journal: DeliveryJournal | undefined
  /** Shared by the batches of this process. */
  readonly lastRead: LastRead
}

/** A step that takes and returns mails of one form. */
export type SendingStep<Mail> = (
  batch: SendingBatch,
  mails: readonly Mail[]
) => Step<Mail> | Promise<Step<Mail>>

/** What the steps of sending share. */
export interface SendingBatch extends BatchParts {
  /** Writes what a step settled, and returns the mails that go on. Nothing else writes a result. */
  settle<Mail>(step: Step<Mail>): readonly Mail[]
  /** What became of mails so far, by id. */
  readonly results: ReadonlyMap<string, ItemResult>
  /** Broadcasts that a gate wants to be paused, by id. */
  readonly pauses: ReadonlyMap<string, NamedHold>
  /** Mails whose provider has answered. */
  readonly answered: readonly AnsweredMail[]
  /** Mails that a process which died had delivered and written, but not recorded in the feed. */
  readonly recovered: readonly SendRow[]
  /** Mails whose provider has answered, and whose result is not in the database. */
  readonly unwritten: Set<SendRow>
  /** The mail that finds out if a provider is back, by the name of the provider. */
  readonly probes: Map<string, string>
  /** The journal of this batch; undefined until its first mail is recorded, and where none can be written. */
  own: BatchJournal | undefined
  readonly watch: StopWatch
  /** `performance.now()` when the batch was claimed. */
  readonly startedAt: number
}
