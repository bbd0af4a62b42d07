// mailer.campaign-mail/v1: the mails of other plugins' campaigns, each act checked and recorded.
import type { Actor } from '@keelson/sdk'
import { withTags } from '../audience/contacts/tags.ts'
import type {
  ActingCampaignMailer,
  CampaignMailer,
  WithSession
} from '../contracts/mailer-campaign-mail.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import {
  cancelCampaignMails,
  countSentMails,
  mailStates,
  queueCampaignMails
} from '../delivery/sends/campaign-mails.ts'
import { errors } from '../errors.ts'
import { entryOf } from '../ledger/acting.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import { readNames } from '../ledger/names.ts'
import { dedupeKeys, sendIdOf } from '../ledger/send-id.ts'
import { foreignOwnerProblem } from './foreign-campaigns.ts'

/** Adapters take so many ids at a time. */
const BATCH = 1000

/** The capability over a mailer. */
export function createCampaignMailer(context: MailerContext): CampaignMailer {
  return {
    mailId: (kind, key) =>
      sendIdOf(context.config.unsubscribeSecret, dedupeKeys.campaign(kind, key)),
    mailStates: (ids) => mailStates(context, ids),
    contacts: (externalIds) => contactsOf(context, externalIds),
    publishedTemplates: async (slugs) => context.templates.load(slugs),
    async templateNames(slugs) {
      const mentions = slugs.map((templateSlug) => ({ templateSlug }))
      return new Map(Object.entries((await readNames(context, mentions)).templates))
    },
    sentMails: (kind, slugs) => countSentMails(context, kind, slugs),
    ownerProblem: async (campaign) => (await foreignOwnerProblem(context, campaign)) ?? null,
    as: (actor) => acting(context, actor)
  }
}

async function contactsOf(
  context: MailerContext,
  externalIds: readonly string[]
): Promise<ReadonlyMap<string, MailContact>> {
  const ids = [...new Set(externalIds)]
  const found = new Map<string, MailContact>()
  for (let at = 0; at < ids.length; at += BATCH) {
    const contacts = await context.adapter.getBatch(ids.slice(at, at + BATCH))
    for (const contact of await withTags(context, [...contacts.values()]))
      found.set(contact.externalId, contact)
  }
  return found
}

function acting(context: MailerContext, actor: Actor): ActingCampaignMailer {
  const demand = async (): Promise<void> => {
    if (!(await context.admits(actor))) throw errors.MLR_ACTOR_FORBIDDEN({ actor: actor.name })
  }
  /** Acts of a plugin for itself are its own log. */
  const record = async (action: string, after: object, options: WithSession) => {
    if (actor.system !== undefined) return
    const resource = { collection: context.collections.sends.collectionName }
    await audit(context, { ...entryOf(actor), action, resource, after }, options)
  }
  return {
    async queue(mails, options = {}) {
      await demand()
      const queued = await queueCampaignMails(context, mails, options)
      if (queued.added > 0)
        await record('mailer.campaign.queue', { ...mails[0]?.campaign, ...queued }, options)
      return queued
    },
    async cancel(mails, reason, options = {}) {
      await demand()
      const done = await cancelCampaignMails(context, mails, reason, options)
      if (done.cancelled > 0)
        await record('mailer.campaign.cancel', { ...mails, reason, ...done }, options)
      return done
    }
  }
}
