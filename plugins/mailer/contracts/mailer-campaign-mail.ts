// mailer.campaign-mail/v1: the mails of a campaign that another plugin runs: queued, looked after, cancelled.
import type { Actor } from '@keelson/sdk'
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { ClientSession } from 'mongodb'
import type { MailCampaign } from './mailer-campaigns.ts'
import type { MailContact, MailKind } from './mailer-core.ts'

/** One mail of a campaign, from a published template. Its kind and category are those of the template. */
export interface CampaignMail {
  /** The kind must be one that an enabled plugin contributes to `mailer.campaigns/v1`. */
  readonly campaign: MailCampaign
  /** The same key of a kind is the same mail, for ever. At most 400 characters. */
  readonly key: string
  /** As `mailId` gave it before, where it was written elsewhere. Default: the id of the key. */
  readonly id?: string
  readonly templateSlug: string
  readonly externalId: string
  /** At most 64 kB of JSON. */
  readonly vars?: Readonly<Record<string, unknown>>
  /** Name of a provider. Default: the template's, else that of its kind. */
  readonly providerOverride?: string
}

/** What queueing came to. */
export interface QueuedMails {
  /** How many are new. */
  readonly added: number
  /** Slugs of templates that are not published: their mails were not queued. */
  readonly unpublished: readonly string[]
}

/** Where a mail is. */
export type CampaignMailState =
  /** No provider has it, and one may still get it. */
  | { readonly kind: 'waiting' }
  /** A provider has it, or may have it. */
  | { readonly kind: 'handed'; readonly at: Date }
  /** No provider has it, and none will get it. */
  | { readonly kind: 'ended' }

/** What is known of a published template before it is rendered. */
export interface PublishedTemplate {
  readonly slug: string
  readonly version: number
  readonly kind: MailKind
  readonly category?: string
}

/** Which mails to cancel: those of one campaign, or some of its kind. */
export type CampaignMails =
  | { readonly kind: string; readonly slug: string }
  | { readonly kind: string; readonly ids: readonly string[] }

/** A transaction of `host.withTransaction` that a write is part of. */
export interface WithSession {
  readonly session?: ClientSession
}

/** The mails of campaigns in the name of an actor, whose right is checked at each call. */
export interface ActingCampaignMailer {
  /**
   * Queues mails, through the same pipeline as those of flows: suppression, gates, policy, tracking. One whose key
   * was queued before, whatever became of it, is left as it is. Durable when it resolves, or with the transaction.
   *
   * @throws MLR_ACTOR_FORBIDDEN, MLR_INPUT_INVALID
   */
  queue(mails: readonly CampaignMail[], options?: WithSession): Promise<QueuedMails>
  /**
   * Cancels the mails that no provider has seen. One that a worker holds at this moment may still leave. `reason` is a
   * code, shown beside each mail.
   *
   * @throws MLR_ACTOR_FORBIDDEN, MLR_INPUT_INVALID
   */
  cancel(
    mails: CampaignMails,
    reason: string,
    options?: WithSession
  ): Promise<{ readonly cancelled: number }>
}

/** What a plugin with campaigns of its own asks of the mailer. */
export interface CampaignMailer {
  /**
   * The id that the mail of a key has or will have: the same in every process. Keep it before you queue the mail, so
   * that a repeated step finds what became of it.
   */
  mailId(kind: string, key: string): string
  /** Where mails are, by id. An unknown id is missing from the map. */
  mailStates(ids: readonly string[]): Promise<ReadonlyMap<string, CampaignMailState>>
  /** Contacts that exist, by id, with the tags that the mailer keeps beside those of the host. */
  contacts(externalIds: readonly string[]): Promise<ReadonlyMap<string, MailContact>>
  /** The published versions of templates, by slug. A slug without one is missing from the map. */
  publishedTemplates(slugs: readonly string[]): Promise<ReadonlyMap<string, PublishedTemplate>>
  /** The names that people know templates by, by slug; published or not. An unknown slug is missing from the map. */
  templateNames(slugs: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** How many mails of campaigns of a kind a provider took, by their slugs. One without any is missing from the map. */
  sentMails(kind: string, slugs: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Why mails of a campaign are held because of its owner, for people; null when they are not. */
  ownerProblem(campaign: Pick<MailCampaign, 'kind' | 'slug'>): Promise<string | null>
  /** The only way to what changes or sends. As `as` of `mailer.core/v1`. */
  as(actor: Actor): ActingCampaignMailer
}

/** Provided by the mailer. */
export const mailerCampaignMail: Capability<CampaignMailer> = defineCapability<CampaignMailer>(
  'mailer.campaign-mail/v1',
  Type.Object(
    requiredFunctions(
      'mailId',
      'mailStates',
      'contacts',
      'publishedTemplates',
      'templateNames',
      'sentMails',
      'ownerProblem',
      'as'
    )
  )
)
