// mailer.campaigns/v1: what a plugin says about the campaigns of its own kind, whose mails the mailer sends.
import type { Owner } from '@keelson/sdk'
import {
  defineExtensionPoint,
  type ExtensionPoint,
  optionalFunctions,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailKind } from './mailer-core.ts'

/** The campaign that a mail belongs to, and what its plugin needs to judge the mail again. */
export interface MailCampaign {
  /** Name of the kind, as the plugin contributes it: `program`. */
  readonly kind: string
  /** Which campaign of that kind. */
  readonly slug: string
  /** Kept with the mail, and given to the variables of the host. At most 8 texts of 256 characters. */
  readonly ref?: Readonly<Record<string, string>>
}

/** A mail that is about to leave. */
export interface CampaignSend {
  readonly sendId: string
  readonly externalId: string
  readonly kind: MailKind
  readonly templateSlug: string
  readonly campaign: MailCampaign
}

/** Why a mail does not leave any more. It ends as cancelled. */
export interface CampaignStop {
  /** A stable code in snake_case, as `satisfied_before_send`. */
  readonly reason: string
  /** One sentence for people. */
  readonly message: string
}

/** What a source gets beside the mails. */
export interface CampaignContext {
  readonly now: Date
  /** Aborted when the time limit (30 s) is over. */
  readonly signal: AbortSignal
}

/** The campaigns of one kind, with what the mailer asks about them. */
export interface CampaignSource {
  /** The kind, unique: kebab-case, as `program`. Part of the Feedback-ID, and of who acts in the audit log. */
  readonly kind: string
  /** The permission of the operation that lets such a campaign send. */
  readonly permission: 'mailer.publish' | 'mailer.sendBroadcasts'
  /** What a person does to let it send in their own name, as `Disable and enable it`. */
  readonly takeOver: string
  /**
   * Who let each campaign send, by slug; null for the host itself. The mailer asks with each batch of mails, checks
   * the right of each owner, and holds the mails of those who lost it. Mails of a campaign that the answer leaves
   * out are held, too. A throw holds the mails.
   */
  owners(slugs: readonly string[]): Promise<ReadonlyMap<string, Owner | null>>
  /**
   * The mails that must not leave any more, by `sendId`. Asked once for a batch of at most 1000 mails, before
   * anything else is decided about them; mails that a provider may have are not asked about. A throw or a time-out
   * makes the mails wait, for at most 72 hours.
   */
  stops?(
    mails: readonly CampaignSend[],
    context: CampaignContext
  ): Promise<ReadonlyMap<string, CampaignStop>>
  /**
   * Slugs of the campaigns that send this template or may still do so: it cannot be deleted meanwhile. A throw
   * keeps the template.
   */
  usesOf?(templateSlug: string): Promise<readonly string[]>
  /** The names that people know campaigns by, by slug; those it does not know are left out. */
  names?(slugs: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Owned by the mailer. Mails of a kind that no enabled plugin contributes are held. */
export const mailerCampaigns: ExtensionPoint<CampaignSource> = defineExtensionPoint<CampaignSource>(
  'mailer.campaigns/v1',
  Type.Object({
    kind: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 32 }),
    permission: Type.Enum(['mailer.publish', 'mailer.sendBroadcasts']),
    takeOver: Type.String({ minLength: 1, maxLength: 120 }),
    ...requiredFunctions('owners'),
    ...optionalFunctions('stops', 'usesOf', 'names')
  })
)
