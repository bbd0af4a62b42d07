// A send as stored: one mail to one contact, from the wish to mail to the last thing heard of it.

import type { Binary } from 'mongodb'
import type { MailCampaign } from '../contracts/mailer-campaigns.ts'
import type { MailKind } from '../contracts/mailer-core.ts'
import type { BounceClass, MailAttachment } from '../contracts/mailer-provider.ts'
import type { MailTexts } from './mail-texts.ts'
import type { QueuedRow } from './queued-row.ts'
import type { HandoffState, SendStatus } from './send-status.ts'

/** Urgent mail has its own queue: a large broadcast never delays a password reset. */
export type Lane = 'urgent' | 'bulk'

/** A link of a sent mail that is tracked. */
export interface TrackedLink {
  readonly linkId: string
  readonly url: string
}

/** A hand-over to a provider; written before the provider is called. */
export interface SendAttempt {
  /** Counts from 1. */
  readonly number: number
  readonly at: Date
  readonly provider: string
  /** Angle brackets included. */
  readonly messageId: string
  /** The journal of the machine that has this hand-over, if it began. */
  readonly journal?: string
}

/** Why an open or click was made by a machine: see tracking/machine-verdict.ts. */
export type MachineReasons = readonly string[]

/** An open, at most the 50 newest are kept. */
export interface StoredOpen {
  /** Adding an open twice changes nothing. */
  readonly id: string
  readonly openedAt: Date
  readonly userAgent?: string
  /** With `storeTrackingIp`. */
  readonly ip?: string
  /** Left out for a person. */
  readonly machine?: MachineReasons
}

/** A click, at most the 50 newest are kept. */
export interface StoredClick {
  readonly id: string
  readonly url: string
  readonly linkId: string
  readonly clickedAt: Date
  readonly userAgent?: string
  readonly ip?: string
  readonly machine?: MachineReasons
}

/** An attachment as stored. */
export interface StoredAttachment extends Omit<MailAttachment, 'content'> {
  readonly content: Binary | Buffer
}

/** A visit of the link that people do not see, the newest are kept. */
export interface HoneypotVisit {
  readonly id: string
  readonly at: Date
  readonly userAgent?: string
}

/** The arm of mails whose broadcast tests nothing. */
export const NO_ARM = ''

/** A row of `mailer_sends`, and an item of the queues that share it. */
export interface SendRow extends QueuedRow {
  readonly lane: Lane
  readonly dedupeKey: string
  readonly externalId: string
  /** Lower case; of the contact when the send was queued, then as handed over. null until it is known. */
  readonly emailAtSend: string | null
  /** What `emailAtSend` ends with after `@`, once it is known. */
  readonly toDomain?: string
  readonly kind: MailKind
  readonly category?: string
  readonly templateSlug: string
  /** Of the content that was handed over. */
  readonly templateVersion?: number
  readonly flowRunId?: string
  readonly flowSlug?: string
  readonly broadcastId?: string
  readonly broadcastSlug?: string
  /**
   * Of a split test: the name of the variant, in a broadcast without one `NO_ARM`. Each mail of a broadcast has it:
   * an index whose keys lack a field cannot be counted by its keys.
   */
  readonly arm?: string
  /** The contact waited for the winner of the split test: no part of the test. */
  readonly isRest?: true
  readonly texts?: MailTexts
  /** Of mail that a campaign of another plugin sends; its plugin judges it once more before it leaves. */
  readonly campaign?: MailCampaign
  /** Who sent it by hand, as the audit log names them. */
  readonly manualSendBy?: string
  readonly providerOverride?: string
  readonly vars?: Readonly<Record<string, unknown>>
  /** The event that started the flow, for `{{event.*}}`. */
  readonly event?: {
    readonly name: string
    readonly properties: Readonly<Record<string, unknown>>
  }
  /** A mail to the people who run the platform, in place of a template and a contact. */
  readonly operatorMail?: {
    readonly to: string
    readonly subject: string
    readonly text: string
  }
  /** Removed when the provider has the mail. */
  readonly attachments?: readonly StoredAttachment[]
  /** Computed: see send-status.ts. */
  readonly status: SendStatus
  /** Computed: a letter for all that it has reached, to be counted by an index; see send-status.ts. */
  readonly progress: string
  readonly handoff: HandoffState
  readonly queuedAt: Date
  /** The hand-over in progress, or the last one. */
  readonly attempt?: SendAttempt
  readonly firstAttemptAt?: Date
  /**
   * When an operator last brought it back, or let it go at once, and after how many hand-overs: tries and waits
   * count from then. `key` names the call, so that the same one changes nothing.
   */
  readonly retried?: { readonly at: Date; readonly attempts: number; readonly key?: string }
  /** When it was handed over; taken back when the provider does not have it. */
  readonly handedAt?: Date
  readonly sentAt?: Date
  readonly provider?: string
  readonly providerMessageId?: string
  readonly from?: { readonly name: string; readonly email: string }
  readonly subject?: string
  /** SHA-256 of the template's content, hex. */
  readonly bodyHash?: string
  readonly links?: readonly TrackedLink[]
  readonly errorMessage?: string
  /** Why it was cancelled, suppressed or refused: a code. */
  readonly exitReason?: string
  /** Why it waits, for people: a gate, the contact policy, a paused broadcast. */
  readonly hold?: {
    readonly cause: string
    readonly message: string
    readonly since: Date
    /** Of a gate's hold: the domain of the From address that the gate was asked about. */
    readonly senderDomain?: string | null
  }
  /** Set while a provider that takes no mail keeps it; `waiting` says which, and since when. */
  readonly waitingFor?: 'provider'
  readonly waiting?: { readonly provider: string; readonly since: Date }
  readonly deliveredAt?: Date
  readonly openedAt?: Date
  readonly openCount?: number
  readonly opens?: readonly StoredOpen[]
  readonly firstClickAt?: Date
  readonly clickCount?: number
  readonly clickedLinks?: readonly StoredClick[]
  /** The first open and the first click that a person made. */
  readonly humanOpenedAt?: Date
  readonly humanClickedAt?: Date
  readonly honeypotVisits?: readonly HoneypotVisit[]
  readonly bouncedAt?: Date
  readonly bounceType?: 'hard' | 'soft'
  readonly bounceReason?: string
  /** What the server's refusal means. Rows of older versions have none. */
  readonly bounceClass?: BounceClass
  readonly complainedAt?: Date
  /** When the provider dropped it after taking it; `errorMessage` says why. */
  readonly droppedAt?: Date
  readonly unsubscribedAt?: Date
}
