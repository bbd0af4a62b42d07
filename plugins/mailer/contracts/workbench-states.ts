// What the workbench of the mailer reads and answers, written for readers: null is what is not known yet.
import type { MailContact, MailKind, SubscriptionStatus } from './mailer-core.ts'
import type { RenderedMail } from './mailer-verify-check.ts'

/** A mail, with what became of it. */
export interface MailState {
  readonly id: string
  readonly templateSlug: string
  readonly externalId: string
  readonly email: string | null
  readonly kind: MailKind
  /** As `queued`, `sent`, `delivered`. */
  readonly status: string
  readonly provider: string | null
  readonly providerMessageId: string | null
  readonly subject: string | null
  readonly errorMessage: string | null
  /** Why it was cancelled, suppressed or refused: a code. */
  readonly exitReason: string | null
  readonly flowRunId: string | null
  readonly queuedAt: Date
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly openedAt: Date | null
  readonly firstClickAt: Date | null
  readonly bounceType: string | null
}

/** What a provider said about a mail. */
export interface MailReport {
  readonly provider: string
  readonly type: string
  /** Empty when the provider named none. */
  readonly email: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  /** Whether its effects have followed. */
  readonly processed: boolean
  readonly details: Readonly<Record<string, unknown>>
}

/** One thing that happened in a run. */
export interface RunStep {
  readonly at: Date
  readonly path: string
  readonly action: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** A run of a flow. */
export interface RunState {
  readonly id: string
  readonly flowSlug: string
  readonly flowVersion: number
  readonly externalId: string
  readonly email: string | null
  readonly status: 'active' | 'completed' | 'exited' | 'failed'
  readonly currentStepIndex: number
  /** The arms that lead to the step; empty at the top. */
  readonly currentBranchPath: string
  readonly nextActionAt: Date | null
  readonly enteredAt: Date
  readonly exitedAt: Date | null
  readonly exitReason: string | null
  readonly triggerEvent: {
    readonly name: string
    readonly properties: Readonly<Record<string, unknown>>
  } | null
  readonly history: readonly RunStep[]
}

/** An event of a contact. */
export interface EventState {
  readonly id: string
  readonly name: string
  readonly externalId: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly occurredAt: Date
}

/** Why an address gets no mail. */
export interface SuppressionState {
  readonly id: string
  readonly email: string | null
  readonly scope: string
  readonly reason: string
  readonly source?: string
  readonly notes?: string
  readonly addedAt: Date
  /** null: never. */
  readonly expiresAt: Date | null
}

/** The subscription of a contact. */
export interface SubscriptionState {
  readonly externalId: string
  readonly status: SubscriptionStatus
  readonly source: string
  readonly emailAtSubscribe?: string
  readonly consentTimestamp?: Date
  readonly consentIp?: string
  readonly consentUserAgent?: string
  readonly subscribedAt?: Date
  readonly unsubscribedAt?: Date
  readonly unsubscribeReason?: string
  readonly doiRequestedAt?: Date
  readonly doiConfirmedAt?: Date
  readonly firstSentAt?: Date
  readonly lastEngagedAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A contact with what happened lately, the newest first, at most 20 of each. */
export interface ContactState {
  /** With the tags that the mailer keeps. */
  readonly contact: MailContact
  readonly subscription: SubscriptionState | null
  readonly suppressions: readonly SuppressionState[]
  readonly recentEvents: readonly EventState[]
  readonly recentSends: readonly MailState[]
  readonly runs: readonly RunState[]
}

/** Rows that a reset has deleted. */
export interface ResetCounts {
  readonly runs: number
  readonly sends: number
  readonly events: number
  readonly suppressions: number
}

/** What a reset takes back; everything by default. */
export interface ResetParts {
  readonly runs?: boolean
  readonly sends?: boolean
  /** All of them, or those with these names. */
  readonly events?: boolean | readonly string[]
  readonly suppressions?: boolean
  /** Subscribes the contact again. */
  readonly subscribe?: boolean
}

/** A flow to work on. */
export interface FlowAtWork {
  readonly slug: string
  readonly version: number
  readonly enabled: boolean
  /** Set while only contacts with the tag get past the first step. */
  readonly gateTag: string | null
  /** Of the published version. */
  readonly stepCount: number
  /** Slugs of the templates that its published steps send. */
  readonly templates: readonly string[]
  /** Starts a run by hand, whether the flow is on or not; the worker takes it from there. */
  start(
    contact: MailContact,
    options?: {
      readonly eventProperties?: Readonly<Record<string, unknown>>
      /** The same key is the same run. Default: a new one. */
      readonly key?: string
    }
  ): Promise<{
    readonly runId: string
    /** False when the flow runs once and the contact was in it by another start. */
    readonly isNew: boolean
  }>
}

/** A version of a flow, as simulations name it. */
export interface SimulatedFlow {
  readonly slug: string
  readonly version: number
  readonly enabled: boolean
}

/** The way of one contact through a flow, on a virtual clock. */
export interface FlowWalk {
  readonly ok: true
  readonly flow: SimulatedFlow
  readonly enteredAt: Date
  /** Why the contact would not enter now; empty when it would. */
  readonly reasons: readonly string[]
  /** The codes of the reasons, in the same order, as `disabled`. */
  readonly reasonCodes: readonly string[]
  readonly path: readonly {
    readonly at: Date
    readonly stepIndex: number
    readonly branchPath: string
    readonly type: string
    readonly outcome: string
    readonly detail?: Readonly<Record<string, unknown>>
  }[]
  readonly sends: readonly {
    readonly at: Date
    readonly stepIndex: number
    readonly branchPath: string
    readonly templateSlug: string
  }[]
  readonly terminal: {
    readonly kind: 'completed' | 'exited' | 'truncated'
    readonly reason: string | null
    readonly at: Date
  }
}

type Counts = Readonly<Record<string, number>>

/** The ways of many contacts through a flow, counted. */
export interface FlowTally {
  readonly ok: true
  readonly flow: SimulatedFlow
  readonly from: Date
  readonly contacts: number
  /** Contacts that do not enter, by why. */
  readonly refused: Counts
  readonly entries: number
  /** Mails that leave within the days. */
  readonly sends: number
  readonly perDay: readonly {
    readonly day: string
    readonly entries: number
    readonly sends: number
  }[]
  readonly sendsByTemplate: Counts
  readonly ends: Counts
  readonly exitReasons: Counts
  /** Mails that the contact policy makes wait, and those that it drops, by rule. */
  readonly capsHit: { readonly waited: Counts; readonly dropped: Counts }
}

/** Whom a template is shown for. */
export interface ShownFor {
  /** A contact of the host; its variables are resolved. Default: a sample contact, without them. */
  readonly contactId?: string
  /** Changes the sample contact. */
  readonly sampleContact?: Partial<MailContact>
  readonly vars?: Readonly<Record<string, unknown>>
  readonly eventProperties?: Readonly<Record<string, unknown>>
  /** Whose links really work, as those of test contacts do. Default: they look alike and change nothing. */
  readonly worksFor?: (email: string) => boolean
}

/** The published version of a template, rendered for one contact. */
export interface ShownTemplate {
  readonly ok: true
  readonly template: { readonly slug: string; readonly kind: MailKind; readonly version: number }
  readonly contact: MailContact
  readonly mail: RenderedMail
  /** What the host resolved for this contact. */
  readonly resolvedVars: Readonly<Record<string, unknown>>
}

/** A check of a rendered mail, and how it came out. */
export interface MailCheck {
  readonly id: string
  readonly status: 'pass' | 'warn' | 'fail'
  readonly message?: string
  readonly fix?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** A template that was checked for one contact. */
export interface VerifiedMail {
  readonly ok: true
  readonly contact: MailContact
  /** null when it could not be rendered. */
  readonly mail: RenderedMail | null
  /** What its HTML links to, each once. */
  readonly links: readonly string[]
  readonly checks: readonly MailCheck[]
}

/** The published version of a template: read and prepared once, checked for any number of contacts. */
export interface TemplateVerification {
  readonly ok: true
  readonly template: { readonly slug: string; readonly kind: MailKind; readonly name: string }
  /** `contact`: one that was read before; `contactId` still says whether its variables are resolved. */
  for(
    request: ShownFor & { readonly contact?: MailContact }
  ): Promise<
    | VerifiedMail
    | { readonly ok: false; readonly code: 'contact_not_found'; readonly message: string }
  >
}

/** What a mail is asked about before it exists. */
export interface WantedMail {
  readonly template: {
    readonly slug: string
    readonly kind: MailKind
    readonly category?: string
    readonly fromEmail: string
    readonly providerOverride?: string
  }
  readonly flowSlug: string | null
  readonly broadcastSlug: string | null
  /** How many mails. */
  readonly count: number
}

/** What keeps a mail from a contact. */
export interface MailPath {
  /** The suppression that blocks it; null for none. */
  readonly suppression: { readonly scope: string; readonly reason: string } | null
  /** null: the contact has no subscription. */
  readonly subscription: SubscriptionStatus | null
  /** What the contact policy says; null when none concerns the mail. */
  readonly policy:
    | { readonly kind: 'go' }
    | { readonly kind: 'wait'; readonly until: Date; readonly cause: string }
    | { readonly kind: 'expired'; readonly cause: string }
    | null
}

/** The state of the mailer in figures. Times back from now. */
export interface MailFigures {
  readonly flows: readonly {
    readonly slug: string
    readonly enabled: boolean
    readonly version: number
    readonly lastTriggerScanAt: Date | null
    readonly trigger: object
    /** Without the gate; 0 until it is published. */
    readonly liveSteps: number
    readonly gated: string | null
    readonly activeRuns: number
  }[]
  readonly counts: {
    readonly subscribed: number
    readonly suppressions: number
    readonly activeRuns: number
    /** Mails by status. */
    readonly sendsLast24h: Counts
    readonly webhookEventsLast24h: number
    readonly lastWebhookAt: Date | null
  }
}

/** What providers reported lately. */
export interface ReportFigures {
  /** Names of the configured providers. */
  readonly providers: readonly string[]
  readonly lastReceivedAt: Date | null
  readonly lastProvider: string | null
  /** By type. */
  readonly last24h: Counts
  readonly last7d: Counts
  readonly unprocessed: number
}
