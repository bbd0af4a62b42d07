// mailer.core/v1: sending mail, and what plugins around the mailer may read and ask of it.

import type { Actor } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { ClientSession } from 'mongodb'
import type { ActedEntry } from './mailer-audit.ts'
import type { FeedbackResult, MailFeedback } from './mailer-feedback.ts'
import type { HeldMailReads } from './mailer-held-mail.ts'
import type { BounceClass, MailAttachment } from './mailer-provider.ts'

/** Why a mail is sent. Only marketing mail carries an unsubscribe link and is held by default gates. */
export type MailKind = 'marketing' | 'transactional'

/** What a suppression blocks. */
export type SuppressionScope = 'all' | 'marketing' | 'transactional'

/** Why an address is suppressed. */
export type SuppressionReason =
  | 'unsubscribed'
  | 'hard_bounce'
  | 'complaint'
  | 'manual'
  | 'list_cleaning'
  | 'gdpr_forget'

/** Whether a contact receives marketing mail. */
export type SubscriptionStatus =
  | 'subscribed'
  | 'pending_doi'
  | 'unsubscribed'
  | 'bounced'
  | 'complained'

/** How a registered event is kept from being recorded twice. */
export type DedupePolicy = 'once-per-contact' | 'once-per-day' | 'every-time'

/** A contact as the host's adapter knows it. */
export interface MailContact {
  /** The host's id of the contact, 1 to 256 characters. */
  readonly externalId: string
  readonly email: string
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  /** IANA name. */
  readonly timezone?: string
  /** BCP 47. */
  readonly locale?: string
}

/** One mail to one contact from a published template. */
export interface OneOffMail {
  readonly templateSlug: string
  readonly externalId: string
  readonly vars?: Readonly<Record<string, unknown>>
  /** Name of a provider. Default: the template's, else that of its kind. */
  readonly providerOverride?: string
  /** At most 10, and 7 MB together. The ledger forgets them when the provider has the mail. */
  readonly attachments?: readonly MailAttachment[]
  /** The same key is the same mail, for ever. At most 512 characters. */
  readonly dedupeKey: string
}

/** A mail to the people who run the platform: no contact, no template, no tracking, never held. */
export interface OperatorMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same key is the same mail, for ever. At most 512 characters. */
  readonly dedupeKey: string
}

/** A test mail of a template, sent now and not recorded as a send. */
export interface TestMail {
  readonly templateSlug: string
  readonly to: string
  /** Default `published`. */
  readonly version?: TemplateVersion
  /** Rendered with the data of this contact. Default: a sample contact. */
  readonly externalId?: string
}

/** The draft is what an editor works on; the published version is what is sent. */
export type TemplateVersion = 'draft' | 'published'

/** A template's content, compiled: slots are still there, MJML is not. */
export interface TemplateContent {
  readonly slug: string
  readonly name: string
  readonly kind: MailKind
  readonly version: TemplateVersion
  readonly subject: string
  /** Empty when there is none. */
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  /** Empty when there is none; a `text_only` template sends only `text`. */
  readonly html: string
  /** The plain text part; made from the HTML when the template gives none. */
  readonly text: string
  readonly bodyFormat: 'multipart' | 'text_only'
  /** What `html` was made from: the source of an editor, of MJML, or the HTML itself. */
  readonly source: {
    readonly html: string | null
    readonly mjml: string | null
    readonly editorJson: unknown
  }
  /** SHA-256 of the body, hex: equal content has an equal hash. */
  readonly bodyHash: string
  readonly tags: readonly string[]
  /** Names of the variables that it declares; left out when it declares none. */
  readonly variables?: readonly string[]
}

/** Content that an author has not saved: what is left out is that of the draft. */
export interface TemplateChange {
  readonly subject?: string
  readonly preheader?: string
  readonly fromEmail?: string
  readonly kind?: MailKind
  /** One of the three is the body. */
  readonly html?: string
  readonly mjml?: string
  readonly editorJson?: unknown
}

/** Content, compiled or not. */
export interface CompiledChange {
  /** `html` and `text` are empty when it does not compile. */
  readonly template: TemplateContent
  /** Why it does not compile, for its author; null when it does. */
  readonly compileError: string | null
}

/** A domain that mail is sent from. */
export interface SenderDomain {
  readonly domain: string
  readonly kind: MailKind | 'both'
  /** It is that of a default From address, and `senderDomains` of the mailer does not name it. */
  readonly isUnregistered?: true
}

/** What happened to a mail after its hand-off. */
export type MailOutcomeType =
  | 'accepted'
  | 'delivered'
  | 'soft_bounce'
  | 'hard_bounce'
  | 'complaint'
  | 'unsubscribe'
  | 'open'
  | 'click'
  | 'send_failed'

/** One thing that happened to one mail. */
export interface MailOutcome {
  readonly type: MailOutcomeType
  readonly occurredAt: Date
  readonly sendId: string
  readonly externalId: string
  readonly kind: MailKind
  /** Domain of the From address, lower case; null when it has none. */
  readonly senderDomain: string | null
  /** Domain of the recipient, lower case. */
  readonly recipientDomain: string
  /** Who runs the mailbox, as `gmail`, `yahoo`, `microsoft`, `apple`; `other` for everyone else. Older outcomes have none. */
  readonly mailboxProvider?: string
  /** Of a bounce or a refusal: `block` and `policy` are about the sender, not the person. */
  readonly bounceClass?: BounceClass
  readonly provider: string
  readonly templateSlug: string
  readonly broadcastSlug: string | null
  readonly flowSlug: string | null
  /** The campaign of another plugin that sent it; left out for other mails. */
  readonly campaign?: { readonly kind: string; readonly slug: string }
  /** An open or click that a machine made. False for the other types. */
  readonly isMachine: boolean
}

/** A page of outcomes. */
export interface MailOutcomes {
  /** In the order they were recorded, which is not that of `occurredAt`. */
  readonly items: readonly MailOutcome[]
  /** Give it as `after` to go on. Keep it in your own collection: it stays valid for 30 days. */
  readonly cursor: string
}

/** A contact's subscription, for reads over all of them. */
export interface Subscriber {
  readonly externalId: string
  readonly status: SubscriptionStatus
  readonly subscribedAt: Date | null
  readonly firstSentAt: Date | null
  /** The latest open or click that a person made. */
  readonly lastEngagedAt: Date | null
}

/** Consent, as the law wants it recorded. */
export interface SubscriptionInput {
  readonly externalId: string
  /** Where it came from, at most 256 characters. */
  readonly source: string
  readonly consentTimestamp?: Date
  readonly consentIp?: string
  readonly consentUserAgent?: string
}

/** Which broadcasts to pause, and why. */
export interface BroadcastPause {
  /** Who pauses: the name of the gate or plugin. Only the same name resumes. */
  readonly by: string
  /** A stable code of the reason, as `SendHold.error`: pages say it in the reader's language. */
  readonly cause?: string
  /** Shown to people, where the pages have no words for the cause. */
  readonly message: string
  /** Only broadcasts from this domain. Default: all. */
  readonly senderDomain?: string
}

/** What plugins may read of the mailer. */
export interface MailerReads extends HeldMailReads {
  /** Declares an event that flows may start on. Call it at start, in every process. */
  registerEvent(event: {
    readonly name: string
    readonly dedupePolicy: DedupePolicy
  }): Promise<void>
  exportContactData(externalId: string): Promise<Readonly<Record<string, unknown>>>
  /** A template's content; null when the slug is unknown or that version does not exist. */
  template(slug: string, version: TemplateVersion): Promise<TemplateContent | null>
  /** The draft with unsaved changes, compiled and not stored; null when the slug is unknown. */
  compileTemplate(slug: string, change: TemplateChange): Promise<CompiledChange | null>
  /**
   * The mail that a sample contact would get from a template, as its bytes (RFC 5322); nothing is sent, and its
   * links change nothing.
   *
   * @throws when it cannot be rendered
   */
  sampleMessage(slug: string, version: TemplateVersion): Promise<Uint8Array>
  /** The registered domains and those of the default From addresses, each once. */
  senderDomains(): readonly SenderDomain[]
  /**
   * What happened to mails since a cursor, each outcome exactly once per chain of cursors. Served by an
   * index: read it in every tick. `after` left out: from the oldest that is kept. Default limit 1000,
   * maximum 10,000.
   */
  outcomes(options?: { readonly after?: string; readonly limit?: number }): Promise<MailOutcomes>
  /** All subscriptions in the order of `externalId`. Default limit 1000, maximum 10,000. */
  subscribers(options?: {
    /** The last `externalId` of the page before. */
    readonly after?: string
    readonly limit?: number
    readonly status?: SubscriptionStatus
  }): Promise<readonly Subscriber[]>
}

/**
 * The mailer in the name of an actor, whose right it checks at each call and whom its audit log names. Every
 * write is durable when it resolves.
 */
export interface ActingMailer {
  /**
   * Whether the actor may change or send now. Without it each act fails with MLR_ACTOR_FORBIDDEN (403). With a
   * permission, as `mailer.publish`, a person who acts later must have that as well.
   */
  allowed(permission?: string): Promise<boolean>
  /**
   * Queues one mail, through the same pipeline as flows: suppression, gates, policy, tracking.
   *
   * @throws when the template or the contact is unknown, or an input is over its limit.
   */
  sendOneOff(mail: OneOffMail): Promise<{ readonly sendId: string }>
  /** Sends a mail to the people who run the platform. False when that key was sent before. */
  notify(mail: OperatorMail): Promise<{ readonly isNew: boolean }>
  /** Renders and sends at once. @throws when it cannot be rendered, or the provider refuses it. */
  sendTest(mail: TestMail): Promise<{ readonly providerId: string }>
  /**
   * Records an event of a contact. A key that was recorded before changes nothing.
   *
   * @throws when neither a key is given nor the name is registered.
   */
  fire(
    name: string,
    externalId: string,
    properties?: Readonly<Record<string, unknown>>,
    dedupeKey?: string
  ): Promise<void>
  /** As `fire`, within a transaction: the event is there when the transaction commits. */
  fireFromSession(
    session: ClientSession,
    name: string,
    externalId: string,
    properties?: Readonly<Record<string, unknown>>,
    dedupeKey?: string
  ): Promise<void>
  /** Subscribes a contact, or asks for confirmation under double opt-in. Suppressions stay. */
  upsertSubscription(input: SubscriptionInput): Promise<void>
  /** Takes back unsubscribes (never bounces or complaints) and subscribes. Scope: default marketing. */
  resubscribe(
    input: SubscriptionInput & { readonly scope?: 'marketing' | 'all' }
  ): Promise<{ readonly removedSuppressions: number }>
  unsubscribe(
    email: string,
    options: {
      readonly scope: SuppressionScope
      readonly reason?: string
      readonly source?: string
      readonly notes?: string
    }
  ): Promise<void>
  suppress(
    email: string,
    options: {
      readonly scope: SuppressionScope
      readonly reason: SuppressionReason
      readonly source?: string
      readonly notes?: string
      /** Default: never. */
      readonly expiresAt?: Date
    }
  ): Promise<void>
  /**
   * Records what a receiver says about a mail; its effects follow as with a provider's webhook.
   *
   * @throws when an input is invalid or over its limit
   */
  recordFeedback(feedback: MailFeedback): Promise<FeedbackResult>
  tag(externalId: string, tag: string): Promise<void>
  untag(externalId: string, tag: string): Promise<void>
  /** Ends a contact's runs of a flow. @throws on an unknown slug. */
  abortFlow(
    flowSlug: string,
    externalId: string,
    options?: { readonly reason?: string }
  ): Promise<{ readonly abortedRuns: number; readonly cancelledSends: number }>
  abortAllFlows(
    externalId: string,
    options?: { readonly reason?: string }
  ): Promise<{ readonly abortedRuns: number; readonly cancelledSends: number }>
  /** Erases a contact; a hash of the address stays, so that it is not mailed again. */
  forget(externalId: string): Promise<void>
  /**
   * Appends to the audit log, in the name of the actor. With the session of a transaction the entry is written with
   * the change that it describes, or not at all.
   */
  audit(entry: ActedEntry, options?: { readonly session?: ClientSession }): Promise<void>
  /** Pauses sending and scheduled broadcasts; their queued mails are held. */
  pauseBroadcasts(pause: BroadcastPause): Promise<{ readonly paused: number }>
  /** Resumes what was paused under that name, unless a stop rule or a person paused it as well. */
  resumeBroadcasts(by: string): Promise<{ readonly resumed: number }>
}

/** The mailer, as plugins see it. */
export interface MailerCore extends MailerReads {
  /**
   * The only way to what changes or sends: the mailer in the name of who acts, a person, a token, or a plugin
   * for itself (`systemActor`). What a person has set up to happen later names the rule or schedule in `via`
   * (`actorOfOwner`): the right is checked again then. Called without `as`, an act fails with
   * MLR_ACTOR_MISSING (500).
   *
   * @example
   * await host.use(mailerCore).as(actor).audit({ action: 'dnsbl.recheck', resource, after: run })
   */
  as(actor: Actor): ActingMailer
}

/** Sending mail. Declare the use as optional unless your plugin makes no sense without a mailer. */
export const mailerCore: Capability<MailerCore> = defineCapability<MailerCore>(
  'mailer.core/v1',
  Type.Object(
    requiredFunctions(
      'as',
      'registerEvent',
      'exportContactData',
      'template',
      'compileTemplate',
      'sampleMessage',
      'senderDomains',
      'outcomes',
      'countHeld',
      'heldBroadcasts',
      'broadcastBehind',
      'subscribers'
    )
  )
)
