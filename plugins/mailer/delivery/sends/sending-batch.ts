// What the parts of a hand-off share: the batch, its mails, and the way to each provider.
import type { BatchRun, ItemResult } from '@keelson/sdk'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Lane, SendRow } from '../../ledger/send-row.ts'
import type { MarketingPause, Outage } from '../../ledger/state-row.ts'
import type { PastHandOver } from '../../providers/failover.ts'
import type { BatchJournal, HandOverJournal } from '../journal/hand-over-journal.ts'
import type { NamedHold } from './ask-gates.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { ComposedMail } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import type { OutletHealth } from './outlet-health.ts'
import type { Pace } from './pace.ts'
import type { HandOver } from './settle-send.ts'
import type { Turns } from './turns.ts'

/** A mail that may leave. */
export interface ReadyMail {
  readonly send: SendRow
  readonly facts: SendFacts
  /** Number of this try. */
  readonly attempt: number
  readonly provider: string
  /** Hand-overs before this one. */
  readonly past: readonly PastHandOver[]
  readonly mail: ComposedMail
  /** The contact has a subscription and got no marketing mail so far. */
  readonly isFirst: boolean
}

/** What happened to a mail in this batch. */
export interface HandedOver {
  readonly ready: ReadyMail
  readonly outcome: HandOver
}

/** The way to a provider, shared by all batches of this process. */
export interface Outlet {
  readonly name: string
  readonly provider: MailProvider
  /** Read with each batch; changed by what becomes of mails. */
  readonly health: OutletHealth
  readonly pace: Pace
  /** Hand-overs at a time. */
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

/** What the parts of a hand-off share. */
export interface SendingBatch {
  readonly context: MailerContext
  readonly run: BatchRun
  readonly campaigns: CampaignRules
  /** By the name of the provider. */
  readonly outlets: ReadonlyMap<string, Outlet>
  /** The mail that finds out if a provider is back, by the name of the provider. */
  readonly probes: Map<string, string>
  readonly results: Map<string, ItemResult>
  /** The journals of this machine; undefined without a folder for them. */
  readonly journal: HandOverJournal | undefined
  /** Of this batch; undefined until its first mail is recorded, and where none can be written. */
  own: BatchJournal | undefined
  /** Mails whose result is known and not in the database. */
  readonly unwritten: Set<string>
  readonly handed: HandedOver[]
  /** Mails that a provider does not have and another one takes over. */
  readonly moved: ReadyMail[]
  /** Mails that a process which died had handed over and written, but not recorded in the feed. */
  readonly recovered: SendRow[]
  /** Broadcasts that a gate wants to be paused. */
  readonly pauses: Map<string, NamedHold>
  readonly watch: StopWatch
  /** Shared by the batches of this process. */
  readonly lastRead: LastRead
  /** `performance.now()` when the batch was claimed. */
  readonly startedAt: number
}
