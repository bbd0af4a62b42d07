// Contacts at the workbench: read, tagged, subscribed, reset.
import type { Actor } from '@keelson/sdk'
import { readContact } from '../audience/contacts/contact-records.ts'
import { findSuppressions } from '../audience/contacts/find-suppressions.ts'
import { changeTags, withTags } from '../audience/contacts/tags.ts'
import { signUnsubscribe } from '../audience/contacts/unsubscribe-token.ts'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import { resetContact } from '../consent/reset-contact.ts'
import { resubscribe } from '../consent/subscribe.ts'
import type { ContactWork } from '../contracts/mailer-workbench.ts'
import type { ContactState } from '../contracts/workbench-states.ts'
import { actingOf } from '../ledger/acting.ts'
import { normalAddress } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import { eventState, mailState, runState, subscriptionState, suppressionState } from './states.ts'

const MOST_RUNS = 20
const DAY_MS = 86_400_000

/** The part of the workbench about contacts, in the name of an actor. */
export function contactWork(
  context: MailerContext,
  events: EventRegistry,
  actor: Actor
): ContactWork {
  const { adapter, collections } = context
  return {
    contact: (externalId) => adapter.getById(externalId),
    contactByEmail: (email) => adapter.getByEmail(normalAddress(email)),
    contacts: (externalIds) => adapter.getBatch([...externalIds]),
    contactState: (externalId) => contactState(context, externalId),
    async subscription(externalId) {
      const row = await collections.subscriptions.findOne({ externalId })
      return row && subscriptionState(row)
    },
    subscribe: (externalId, { source }) =>
      resubscribe(context, { externalId, source, scope: 'all' }, actingOf(actor)),
    async changeTags(externalId, change) {
      await changeTags(context, externalId, change)
      const resource = { collection: collections.subscriptions.collectionName, id: externalId }
      await audit(context, { ...actingOf(actor), action: 'contact.tag', resource, after: change })
      return tagsOf(context, externalId)
    },
    unsubscribeUrl: async (email) => unsubscribeUrl(context, email),
    resetContact: (contact, parts) => resetContact(context, contact, parts, actingOf(actor)),
    async fire({ name, externalId, properties, dedupeKey, callKey }) {
      // Events of other rules are kept from being recorded twice by their rule.
      const isRepeatable = events.policyOf(name) === 'every-time'
      const key = dedupeKey ?? (isRepeatable ? callKey : undefined)
      await context.core.as(actor).fire(name, externalId, properties, key)
      const newest = { sort: { occurredAt: -1 } } as const
      const row = await collections.events.findOne({ externalId, name }, newest)
      return row && eventState(row)
    }
  }
}

async function contactState(
  context: MailerContext,
  externalId: string
): Promise<ContactState | null> {
  const details = await readContact(context, externalId)
  if (details === null) return null
  const { contact, subscription, recentEvents, recentSends } = details
  const [suppressions, runs] = await Promise.all([
    findSuppressions(context, [contact.email]),
    context.collections.flowRuns
      .find({ externalId })
      .sort({ enteredAt: -1, _id: -1 })
      .limit(MOST_RUNS)
      .toArray()
  ])
  return {
    contact,
    subscription: subscription && subscriptionState(subscription),
    suppressions: (suppressions.get(contact.email) ?? []).map(suppressionState),
    recentEvents: recentEvents.map(eventState),
    recentSends: recentSends.map(mailState),
    runs: runs.map(runState)
  }
}

async function tagsOf(context: MailerContext, externalId: string): Promise<readonly string[]> {
  const contact = await context.adapter.getById(externalId)
  const [tagged] = contact === null ? [] : await withTags(context, [contact])
  return tagged?.tags ?? []
}

function unsubscribeUrl({ config, clock }: MailerContext, email: string): string {
  const { publicUrl, unsubscribeSecret, unsubscribeTokenLifetimeDays: days } = config
  const expiresAt = new Date(clock.now().getTime() + days * DAY_MS)
  const request = { email: normalAddress(email), scope: 'marketing' } as const
  return `${publicUrl}/m/unsub/${signUnsubscribe(request, expiresAt, unsubscribeSecret)}`
}
