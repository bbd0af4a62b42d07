// Mails at the workbench: followed, made due, and asked about before they exist.
import type { Actor } from '@keelson/sdk'
import { findSubscriptions } from '../audience/contacts/find-subscriptions.ts'
import { findSuppressions } from '../audience/contacts/find-suppressions.ts'
import { suppressionThatBlocks } from '../audience/contacts/suppression-rules.ts'
import { hasPolicy, judgeMail, mailPolicyReach } from '../audience/policy/mail-policy.ts'
import { recentMarketing } from '../audience/policy/recent-mail.ts'
import type { MailContact } from '../contracts/mailer-core.ts'
import type { MailWork } from '../contracts/mailer-workbench.ts'
import type { MailPath, WantedMail } from '../contracts/workbench-states.ts'
import { holdOfBatch } from '../delivery/sends/ask-gates.ts'
import { entryOf } from '../ledger/acting.ts'
import { normalAddress } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { MailChanges } from './mail-changes.ts'
import { mailWhen } from './mail-when.ts'
import { MAIL_FIELDS, mailReport, mailState } from './states.ts'

const MOST_REPORTS = 100

/** The part of the workbench about mails, in the name of an actor. */
export function mailWork(context: MailerContext, changes: MailChanges, actor: Actor): MailWork {
  const { collections, queues } = context
  return {
    async mail(id) {
      const row = await collections.sends.findOne({ _id: id }, { projection: MAIL_FIELDS })
      return row && mailState(row)
    },
    mailWhen: (id, isThere, waiting) => mailWhen({ collections, changes }, id, isThere, waiting),
    async reportsOf(id) {
      const options = { sort: { occurredAt: 1 }, limit: MOST_REPORTS } as const
      return (await collections.webhookEvents.find({ sendId: id }, options).toArray()).map(
        mailReport
      )
    },
    async dispatch(id, isWanted) {
      const projection = { ...MAIL_FIELDS, lane: 1 }
      const row = await collections.sends.findOne({ _id: id }, { projection })
      const mail = row && mailState(row)
      if (row === null || mail === null || !isWanted(mail)) return mail
      const queue = row.lane === 'urgent' ? queues.urgentSends : queues.bulkSends
      await queue.reschedule({ _id: id })
      const resource = { collection: collections.sends.collectionName, id }
      await audit(context, { ...entryOf(actor), action: 'send.dispatch', resource })
      return mail
    },
    async holdOf(wanted) {
      const hold = await holdOfBatch(context, batchOf(context, wanted))
      return hold === undefined ? null : { gate: hold.gate, message: hold.message }
    },
    pathOf: (wanted, contact) => pathOf(context, wanted, contact)
  }
}

function batchOf({ config }: MailerContext, { template, ...of }: WantedMail) {
  const { slug: templateSlug, kind, fromEmail, providerOverride } = template
  const senderDomain = fromEmail.split('@').at(-1)?.toLowerCase() ?? null
  const provider = providerOverride ?? config.defaultProvider ?? ''
  return { ...of, templateSlug, kind, senderDomain, provider }
}

async function pathOf(
  context: MailerContext,
  { template: { kind, category } }: WantedMail,
  contact: MailContact
): Promise<MailPath> {
  const email = normalAddress(contact.email)
  const [suppressions, subscriptions, policy] = await Promise.all([
    findSuppressions(context, [email]),
    findSubscriptions(context, [contact.externalId]),
    policyOf(context, { kind, category }, contact)
  ])
  const rows = suppressions.get(email) ?? []
  const blocking = suppressionThatBlocks(rows, kind, category, context.clock.now())
  return {
    suppression: blocking === undefined ? null : { scope: blocking.scope, reason: blocking.reason },
    subscription: subscriptions.get(contact.externalId)?.status ?? null,
    policy
  }
}

async function policyOf(
  context: MailerContext,
  { kind, category }: { readonly kind: string; readonly category: string | undefined },
  contact: MailContact
): Promise<MailPath['policy']> {
  const { config, clock } = context
  if (!hasPolicy(config) || kind !== 'marketing') return null
  const now = clock.now()
  const email = normalAddress(contact.email)
  const since = new Date(now.getTime() - mailPolicyReach(config))
  const recent = (await recentMarketing(context, [email], since)).get(email) ?? []
  const { timezone } = contact.fields as { readonly timezone?: string }
  return judgeMail(config, { now, queuedAt: now, timezone, category }, recent)
}
