// Subscribes contacts, with their consent and, where it is configured, a confirmation mail.
import { randomUUID } from 'node:crypto'
import { Type } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import { appendSteps, categoryOf, unkeptSteps } from '../audience/contacts/consent-steps.ts'
import { dayOf, decideSubscription, tokenHash } from '../audience/contacts/decide-subscription.ts'
import { signConfirmation } from '../audience/contacts/unsubscribe-token.ts'
import type { SubscriptionInput } from '../contracts/mailer-core.ts'
import { queueSends } from '../delivery/sends/queue-sends.ts'
import { addressHashes, isMailable, normalAddress } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../ledger/checked-input.ts'
import type { ConsentStep, SubscriptionRow, SuppressionRow } from '../ledger/contact-rows.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import { dedupeKeys } from '../ledger/send-id.ts'

const DAY_MS = 86_400_000

const subscriptionFields = {
  externalId: inputs.externalId,
  source: inputs.source,
  consentTimestamp: Type.Optional(inputs.date),
  consentIp: Type.Optional(inputs.ip),
  consentUserAgent: Type.Optional(inputs.userAgent)
}
const subscriptionSchema = Type.Object(subscriptionFields)
const resubscribeSchema = Type.Object({
  ...subscriptionFields,
  scope: Type.Optional(Type.Enum(['marketing', 'all']))
})

/** The person or program that acts, for the audit log. */
export interface Author {
  readonly actor: string
  readonly ip?: string
  readonly userAgent?: string
  readonly requestId?: string
}

/**
 * Subscribes a contact and keeps the consent. Under double opt-in the contact is asked by mail first, at
 * most once per day. Suppressions stay.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function upsertSubscription(
  context: MailerContext,
  input: SubscriptionInput
): Promise<void> {
  checkedInput('upsertSubscription', subscriptionSchema, input)
  const email = await addressOf(context, input.externalId)
  await context.withTransaction((session) => subscribeContact(context, input, email, session))
}

/**
 * Takes back unsubscribes of a contact and subscribes it. `marketing` (the default) takes back those of
 * scopes `marketing` and `all`; `all` those of every scope and category. Bounces, complaints, manual rows,
 * list cleaning and erasures stay.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function resubscribe(
  context: MailerContext,
  input: SubscriptionInput & { readonly scope?: 'marketing' | 'all' },
  author: Author = { actor: 'system:mailer' }
): Promise<{ readonly removedSuppressions: number }> {
  const { scope = 'marketing', ...subscription } = input
  checkedInput('resubscribe', resubscribeSchema, input)
  const email = await addressOf(context, input.externalId)
  return context.withTransaction(async (session) => {
    const { externalId } = input
    const { subscriptions, suppressions } = context.collections
    const known = await subscriptions.findOne({ externalId }, { session })
    const emails = new Set([email, known?.emailAtSubscribe].filter((one) => one !== undefined))
    const filter = {
      emailHash: { $in: [...emails].flatMap(addressHashes) },
      reason: 'unsubscribed',
      ...(scope === 'marketing' && { scope: { $in: ['marketing', 'all'] as const } })
    } as const
    const removed = await suppressions.find(filter, { session }).toArray()
    const { deletedCount } = await suppressions.deleteMany(filter, { session })
    await subscribeContact(context, subscription, email, session)
    const now = context.clock.now()
    const update = { $set: { resubscribed: { at: now, scope } } }
    const steps = categoriesOn(removed, { at: now, source: input.source })
    await subscriptions.updateOne({ externalId }, { ...update, ...appendSteps(steps) }, { session })
    if (deletedCount > 0) {
      const resource = { collection: subscriptions.collectionName, id: externalId }
      const before = endOf(known)
      const after = { scope, removedSuppressions: deletedCount, source: input.source }
      const entry = { ...author, action: 'contact.resubscribe', resource, before, after }
      await audit(context, entry, { session })
    }
    return { removedSuppressions: deletedCount }
  })
}

/** Categories whose unsubscribes were taken back. */
const categoriesOn = (
  removed: readonly SuppressionRow[],
  step: Pick<ConsentStep, 'at' | 'source'>
): readonly ConsentStep[] =>
  removed.flatMap(({ scope }) => {
    const category = categoryOf(scope)
    return category === undefined ? [] : [{ ...step, what: 'categoryOn' as const, category }]
  })

/** The part of a subscription that a resubscribe replaces. */
const endOf = (known: SubscriptionRow | null) =>
  known === null
    ? null
    : defined({
        status: known.status,
        source: known.source,
        unsubscribedAt: known.unsubscribedAt,
        unsubscribeReason: known.unsubscribeReason
      })

/** The address that mail for a contact goes to; undefined when there is none. */
async function addressOf(
  { adapter }: MailerContext,
  externalId: string
): Promise<string | undefined> {
  const contact = await adapter.getById(externalId)
  return isMailable(contact?.email) ? normalAddress(contact.email) : undefined
}

async function subscribeContact(
  context: MailerContext,
  input: SubscriptionInput,
  email: string | undefined,
  session: ClientSession
): Promise<void> {
  const { clock, collections, config } = context
  const now = clock.now()
  const { externalId, source, consentTimestamp, consentIp, consentUserAgent } = input
  const known = await collections.subscriptions.findOne({ externalId }, { session })
  const decision = decideSubscription(known, config.requireDoubleOptIn, now)
  const asked =
    decision.asksConfirmation && email !== undefined
      ? await askConfirmation(context, externalId, email, session)
      : undefined
  const steps = newSteps(known, input, { isNew: decision.isNew, isAsked: asked !== undefined, now })
  await collections.subscriptions.updateOne(
    { externalId },
    {
      $set: {
        status: decision.status,
        source,
        updatedAt: now,
        ...defined({ consentTimestamp, consentIp, consentUserAgent, emailAtSubscribe: email }),
        ...(decision.isNew && { subscribedAt: now }),
        ...asked
      },
      ...appendSteps([...(known === null ? [] : unkeptSteps(known)), ...steps]),
      $setOnInsert: { _id: randomUUID(), createdAt: now }
    },
    { session, upsert: true }
  )
}

/** What a wish to subscribe adds to the history: nothing when it says what is known already. */
function newSteps(
  known: SubscriptionRow | null,
  { source, consentTimestamp, consentIp: ip, consentUserAgent: userAgent }: SubscriptionInput,
  {
    isNew,
    isAsked,
    now
  }: { readonly isNew: boolean; readonly isAsked: boolean; readonly now: Date }
): readonly ConsentStep[] {
  const step = { at: now, source, ...defined({ consentTimestamp, ip, userAgent }) }
  if (isNew) return [{ ...step, what: 'subscribed' }]
  if (isAsked) return [{ ...step, what: 'asked' }]
  const isKnown =
    known?.source === source &&
    (consentTimestamp === undefined ||
      Number(known.consentTimestamp) === Number(consentTimestamp)) &&
    (ip === undefined || known.consentIp === ip) &&
    (userAgent === undefined || known.consentUserAgent === userAgent)
  return isKnown ? [] : [{ ...step, what: 'renewed' }]
}

/** Queues the confirmation mail, and returns what is stored of it. */
async function askConfirmation(
  context: MailerContext,
  externalId: string,
  email: string,
  session: ClientSession
): Promise<{ readonly doiTokenHash: string; readonly doiRequestedAt: Date } | undefined> {
  const { clock, config } = context
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + config.doiTokenLifetimeDays * DAY_MS)
  const token = signConfirmation(externalId, expiresAt, config.unsubscribeSecret)
  const mail = {
    dedupeKey: dedupeKeys.doubleOptIn(externalId, dayOf(now)),
    lane: 'urgent',
    kind: 'transactional',
    externalId,
    emailAtSend: email,
    templateSlug: config.doiTemplateSlug,
    vars: { confirmDoiUrl: `${config.publicUrl}/m/confirm-doi/${token}` }
  } as const
  const { added } = await queueSends(context, [mail], { session })
  return added === 0 ? undefined : { doiTokenHash: tokenHash(token), doiRequestedAt: now }
}
