// mailer.workbench/v1: what lies around the operations: contacts, trial runs, renderings, mails that are followed.
import type { Actor, Refused } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailContact } from './mailer-core.ts'
import type { MailerAnswer } from './mailer-operations.ts'
import type {
  ContactState,
  EventState,
  FlowAtWork,
  FlowTally,
  FlowWalk,
  MailFigures,
  MailPath,
  MailReport,
  MailState,
  ReportFigures,
  ResetCounts,
  ResetParts,
  RunState,
  RunStep,
  ShownFor,
  ShownTemplate,
  SubscriptionState,
  TemplateVerification,
  WantedMail
} from './workbench-states.ts'

/** Contacts, one by one. */
export interface ContactWork {
  /** As the host has it; null for one that it does not have. */
  contact(externalId: string): Promise<MailContact | null>
  /** In any case of the address. */
  contactByEmail(email: string): Promise<MailContact | null>
  /** Those that exist, by id. At most 1000. */
  contacts(externalIds: readonly string[]): Promise<ReadonlyMap<string, MailContact>>
  contactState(externalId: string): Promise<ContactState | null>
  subscription(externalId: string): Promise<SubscriptionState | null>
  /** Takes back all unsubscribes (never bounces or complaints) and subscribes. */
  subscribe(
    externalId: string,
    options: { readonly source: string }
  ): Promise<{ readonly removedSuppressions: number }>
  /** Adds and removes tags; doing it twice changes nothing. Answers the tags of the contact. */
  changeTags(
    externalId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] }
  ): Promise<readonly string[]>
  /** An address that really unsubscribes, in one click: for contacts that the caller may act for. */
  unsubscribeUrl(email: string): Promise<string>
  /** Deletes what a test left of a contact, so that it can be tested again. An erased address stays erased. */
  resetContact(contact: MailContact, parts: ResetParts): Promise<ResetCounts>
  /**
   * Records an event, as `mailerCore` does, and answers the newest one of that name. `callKey` keeps an event
   * that may be repeated from being recorded twice by one call.
   *
   * @throws when neither a key is given nor the name is registered
   */
  fire(event: {
    readonly name: string
    readonly externalId: string
    readonly properties?: Readonly<Record<string, unknown>>
    readonly dedupeKey?: string
    readonly callKey?: string
  }): Promise<EventState | null>
}

/** Who would go how through a flow. */
export interface CohortWanted {
  readonly contacts: readonly MailContact[]
  /** Contacts that are made up: subscribed, with nothing behind them. */
  readonly synthetic: readonly MailContact[]
  /** Default: now. */
  readonly at?: Date
  readonly days: number
  /** Entries are spread evenly over so many days. */
  readonly enterOverDays: number
  readonly eventProperties?: Readonly<Record<string, unknown>>
  /** Default: the live version. */
  readonly version?: number
  readonly signal?: AbortSignal
  progress?(done: number, total: number): void
}

type UnknownVersion = Refused<'flow_not_found' | 'version_not_found'>

/** Flows and their runs. */
export interface FlowWork {
  /** null when the slug is unknown. */
  flow(slug: string): Promise<FlowAtWork | null>
  /** Walks a flow for a contact on a virtual clock; writes and sends nothing. */
  simulate(
    slug: string,
    request: {
      readonly contact: MailContact
      /** When the contact enters. Default: now. */
      readonly at?: Date
      readonly eventProperties?: Readonly<Record<string, unknown>>
      /** Default: the live version. */
      readonly version?: number
    }
  ): Promise<FlowWalk | UnknownVersion>
  /** Walks it for many contacts over many days. */
  simulateMany(slug: string, request: CohortWanted): Promise<FlowTally | UnknownVersion>
  run(id: string): Promise<RunState | null>
  /** Newest first, at most 200. */
  runs(filter: {
    readonly externalId?: string
    readonly flowSlug?: string
    readonly status?: RunState['status']
    readonly limit?: number
    readonly cursor?: string
  }): Promise<{ readonly rows: readonly RunState[]; readonly nextCursor?: string }>
  /** The mails of a run, oldest first, at most 100. */
  mailsOfRun(id: string): Promise<readonly MailState[]>
  /** Takes a run some steps further; the wait that it is at does not count. Workers leave it alone for 30 s. */
  advanceRun(
    id: string,
    steps: number
  ): Promise<
    | {
        readonly ok: true
        readonly run: RunState
        readonly historyAdded: readonly RunStep[]
        /** Mails that it has queued, at most 100. */
        readonly mails: readonly MailState[]
      }
    | Refused<'run_not_found' | 'run_not_active' | 'run_busy'>
  >
}

/** Mails, and what becomes of them. */
export interface MailWork {
  mail(id: string): Promise<MailState | null>
  /**
   * Reads a mail until it fits, time is up, or the signal is aborted: woken by its changes. null when the id is
   * unknown.
   */
  mailWhen(
    id: string,
    isThere: (mail: MailState) => boolean,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal }
  ): Promise<MailState | null>
  /** Oldest first, at most 100. */
  reportsOf(id: string): Promise<readonly MailReport[]>
  /**
   * Makes a mail due at once, whatever it waits for, if the caller wants it when it sees it. null when the id is
   * unknown.
   */
  dispatch(id: string, isWanted: (mail: MailState) => boolean): Promise<MailState | null>
  /** What would hold such mails now; null: they would leave. */
  holdOf(wanted: WantedMail): Promise<{ readonly gate: string; readonly message: string } | null>
  pathOf(wanted: WantedMail, contact: MailContact): Promise<MailPath>
}

/** Broadcasts. */
export interface BroadcastWork {
  /** Whole ones, as one operation answers one, the newest first. At most 200. */
  broadcasts(page: { readonly limit?: number; readonly cursor?: string }): Promise<{
    readonly rows: readonly MailerAnswer<'mailer.broadcasts.create'>[]
    readonly nextCursor?: string
  }>
}

/** Templates as contacts would get them. */
export interface TemplateWork {
  /** Renders the published version. Nothing is written, sent or tracked. */
  show(
    slug: string,
    request: ShownFor
  ): Promise<
    | ShownTemplate
    | Refused<
        | 'template_not_found'
        | 'contact_not_found'
        | 'not_published'
        | 'compile_failed'
        | 'vars_resolve_failed'
      >
  >
  /** Opens the published version, to be rendered and checked: by the mailer and by `mailer.verify-check/v1`. */
  verification(slug: string): Promise<TemplateVerification | Refused<'template_not_found'>>
}

/** The mailer as a whole. */
export interface StateWork {
  figures(): Promise<MailFigures>
  reportFigures(): Promise<ReportFigures>
  /** Names of the lines of the setup list that other plugins contribute. */
  contributedChecks(): Promise<readonly string[]>
  /** Runs triggers, due broadcasts, sweeps and the tasks of plugins at once. */
  runTick(signal: AbortSignal): Promise<void>
}

/**
 * The workbench in the name of one actor. Without the right to use mail each act fails with MLR_ACTOR_FORBIDDEN
 * (403).
 */
export interface ActingWorkbench
  extends ContactWork,
    FlowWork,
    BroadcastWork,
    MailWork,
    TemplateWork,
    StateWork {}

/** The workbench. */
export interface MailerWorkbench {
  as(actor: Actor): ActingWorkbench
}

/**
 * Trying mail out before it goes to people, and following it: for plugins that stand beside the admin API, as an
 * API for agents does. What an operation does is `mailerOperations`.
 *
 * @example
 * const { mailWhen } = host.use(mailerWorkbench).as(actor)
 * const mail = await mailWhen(sendId, ({ deliveredAt }) => deliveredAt !== null, { timeoutMs: 30_000, signal })
 */
export const mailerWorkbench: Capability<MailerWorkbench> = defineCapability<MailerWorkbench>(
  'mailer.workbench/v1',
  Type.Object(requiredFunctions('as'))
)
