// A broadcast as stored.
import type { Owner } from '@keelson/sdk'
import type { MailTexts } from './mail-texts.ts'

/**
 * Where a broadcast is. `sent`: every mail is queued, and each was handed over or has ended. `failed`: it never
 * started; see `failure`.
 */
export type BroadcastStatus =
  | 'draft'
  | 'scheduled'
  | 'sending'
  | 'paused'
  | 'sent'
  | 'cancelled'
  | 'failed'

/** What pauses a broadcast. `cap_reached` queues no more mails; the others also hold those that wait. */
export type PauseCode = 'cap_reached' | 'stop_rule' | 'gate' | 'manual'

/** Why a broadcast is paused. */
export interface PauseReason {
  readonly code: PauseCode
  /** Who paused: a gate, a plugin, or a person as the audit log names them. */
  readonly by: string
  /** Why, as `SendHold.error`; left out when the message alone says it. */
  readonly cause?: string
  readonly message: string
  readonly at: Date
}

/** When a broadcast stops by itself: rates in per cent of delivered and bounced mails. */
export interface StopRules {
  readonly enabled: boolean
  readonly hardBounceRatePct: number
  readonly complaintRatePct: number
  readonly unsubscribeRatePct: number
  readonly minSample: number
}

/** A mail of a split test: a template, with a subject and preheader of its own where it has any. */
export interface Variant extends MailTexts {
  readonly name: string
  readonly templateSlug: string
}

/** Two or more variants, and how the better one is found. */
export interface SplitTest {
  readonly variants: readonly Variant[]
  /** Share of the audience that takes part in the test. */
  readonly testPercent: number
  readonly winner: 'human_opens' | 'human_clicks'
  readonly decideAfterHours: number
}

/** How far the pages of a split test are, so that its arms are exact over all pages. */
export interface SplitCounts {
  /** Contacts of the pages that are through. */
  readonly seen: number
  /** Those of them that take part. */
  readonly taken: number
}

/** What the stop rules had counted when a broadcast was resumed without risky addresses. */
export interface StopBase {
  readonly delivered: number
  readonly bounced: number
  readonly hardBounces: number
  readonly complaints: number
  readonly unsubscribes: number
}

/** Waves that go out by themselves: their size, in people or as a share of all of them, and the time between. */
export interface WavePlan {
  readonly people?: number
  readonly percent?: number
  /** From the begin of a wave to that of the next. */
  readonly everyMinutes: number
}

/** A part of a broadcast that went out at once. */
export interface Wave {
  readonly at: Date
  /** Mails up to its end, earlier waves included; missing: all of them. */
  readonly upTo?: number
}

/** What came of one variant. */
export interface VariantResult {
  readonly name: string
  readonly templateSlug: string
  /** Mails that were handed over. */
  readonly handed: number
  /** Mails of those that a person opened or clicked, whichever decides. */
  readonly reactions: number
}

/**
 * Where a split test is. `test`: its mails are queued. `deciding`: it waits for opens and clicks. `rest`: all
 * others get the winner.
 */
export type SplitPhase = 'test' | 'deciding' | 'rest'

/** A row of `mailer_broadcasts`; `slug` is unique. */
export interface BroadcastRow extends MailTexts {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly segmentDefinition: unknown
  readonly status: BroadcastStatus
  readonly scheduledAt?: Date
  /** A schedule that could not start by then fails. */
  readonly expiresAt?: Date
  readonly confirmedCount?: number
  /** Who would be mailed within the cap, mails so far included; counted by the last schedule or resume. */
  readonly recipientCount?: number
  /** The same as if there were no cap. */
  readonly audienceCount?: number
  /** Mails queued so far. */
  readonly queuedCount: number
  /** Mails that were queued for a later time, by that time in milliseconds: one for each offset of time zones. */
  readonly laterMails?: Readonly<Record<string, number>>
  readonly respectRecipientTimezone: boolean
  readonly recipientCap?: number
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  /** Stop rules count what happened since. */
  readonly stopBase?: StopBase
  /** Addresses that no mail was handed over to before are left out from a resume on. */
  readonly leavesOut?: 'never_mailed'
  /** Missing: a person lets each wave out. */
  readonly wavePlan?: WavePlan
  /** Those that have begun, the last 100. */
  readonly waves?: readonly Wave[]
  /** When the next wave begins by itself; set while the one before is all queued. */
  readonly nextWaveAt?: Date
  readonly splitTest?: SplitTest
  /** Missing without a split test. */
  readonly splitPhase?: SplitPhase
  /** Missing before the first page. */
  readonly splitCounts?: SplitCounts
  /** When the last mail of the split test was queued. */
  readonly testQueuedAt?: Date
  /** Name of the variant that won. */
  readonly winner?: string
  /** What the winner was chosen by. */
  readonly splitResults?: readonly VariantResult[]
  /** Everything that pauses it: it goes on when none is left. */
  readonly pauses?: readonly PauseReason[]
  /** The one of `pauses` that is shown: one that holds mails before a full wave. */
  readonly pauseReason?: PauseReason
  /** Why it failed. */
  readonly failure?: { readonly code: string; readonly message: string }
  /** Where enqueueing goes on: a cursor of the segment; null when all are queued. */
  readonly cursor?: string | null
  readonly startedAt?: Date
  readonly finishedAt?: Date
  /** It was cancelled, and mails that workers held then may still wait. */
  readonly isEnding?: boolean
  /** Who let it send, asked again with each batch of mails. Missing: the mailer itself lets it. */
  readonly owner?: Owner | null
  /** Counts the changes; absent is 0. */
  readonly revision?: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Why a contact of the segment gets no mail of a broadcast. */
export const LEFT_OUT_REASONS = [
  /** No subscription, or one that was ended or not confirmed. */
  'not_subscribed',
  /** Its address is suppressed for marketing, or for the category of the template. */
  'suppressed',
  /** Another contact has its address. */
  'same_address',
  /** It has no valid address. */
  'no_address',
  /** Its mail waited for the contact policy as long as it may. */
  'policy',
  /** A person resumed the broadcast without addresses that had no mail before. */
  'never_mailed'
] as const

/** One of `LEFT_OUT_REASONS`. */
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** A row of `mailer_left_out`. */
export interface LeftOutRow {
  /** `<broadcast>:<externalId>` */
  readonly _id: string
  readonly broadcastId: string
  readonly externalId: string
  readonly reason: LeftOutReason
  /** The status of the subscription, why the address is suppressed, or the rule of the policy. */
  readonly detail?: string
  readonly at: Date
}
