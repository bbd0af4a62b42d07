// Contacts for agents: read any; subscribe, unsubscribe and tag test contacts.
import {
  changeTags,
  findSuppressions,
  readContact,
  resetContact,
  resubscribe,
  signUnsubscribe
} from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { type Refusal, refused } from '../answers/refusal.ts'
import {
  contactReferenceShape,
  list,
  maybeFlag,
  maybeObject,
  number,
  object,
  text
} from '../answers/shapes.ts'
import { runSummary, sendSummary } from '../answers/summaries.ts'
import { contactOf, contactReference, testContactOf } from './contact-guard.ts'
import {
  type AgentContext,
  answer,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

const MOST_TAGS = 25
const MOST_RUNS = 20
const DAY_MS = 86_400_000
const optionalFlag = Type.Optional(Type.Boolean())
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: MOST_TAGS })
const idOf = ({ params }: OperationCall) => params['externalId'] ?? ''

async function described(agent: AgentContext, externalId: string) {
  const { context, boundary } = agent
  const details = await readContact(context, externalId)
  if (details === null) return refused('contact_not_found')
  const { contact, subscription, recentEvents, recentSends } = details
  const [suppressions, runs] = await Promise.all([
    findSuppressions(context, [contact.email]),
    context.collections.flowRuns
      .find({ externalId })
      .sort({ enteredAt: -1, _id: -1 })
      .limit(MOST_RUNS)
      .toArray()
  ])
  return answer({
    contact,
    isTestContact: boundary.isTestContact(contact.email),
    subscription,
    suppressions: suppressions.get(contact.email) ?? [],
    recentEvents,
    recentSends: recentSends.map(sendSummary),
    runs: runs.map(runSummary)
  })
}

async function byEmail({ agent, params }: OperationCall): Promise<OperationAnswer | Refusal> {
  const email = (params['email'] ?? '').trim().toLowerCase()
  const contact = await agent.context.adapter.getByEmail(email)
  return contact === null ? refused('contact_not_found') : described(agent, contact.externalId)
}

const subscriptionOf = ({ context }: AgentContext, externalId: string) =>
  context.collections.subscriptions.findOne({ externalId }, { projection: { doiTokenHash: 0 } })

async function subscribe(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, acting } = call
  const found = await testContactOf(agent, idOf(call))
  if (!found.ok) return found
  const { externalId } = found.contact
  const input = { externalId, source: 'agent', scope: 'all' } as const
  const { removedSuppressions } = await resubscribe(agent.context, input, acting)
  return answer({ subscription: await subscriptionOf(agent, externalId), removedSuppressions })
}

async function unsubscribe(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent } = call
  const found = await testContactOf(agent, idOf(call))
  if (!found.ok) return found
  const { externalId, email } = found.contact
  const options = { scope: 'marketing', reason: 'user_request', source: 'agent' } as const
  await agent.context.core.unsubscribe(email, options)
  return answer({ subscription: await subscriptionOf(agent, externalId) })
}

async function tag(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, body } = call
  const found = await testContactOf(agent, idOf(call))
  if (!found.ok) return found
  const { externalId } = found.contact
  const add = [...new Set((body['add'] ?? []) as readonly string[])]
  const remove = [...new Set((body['remove'] ?? []) as readonly string[])]
  if (add.length + remove.length === 0) return refused('no_tags')
  const both = add.filter((name) => remove.includes(name))
  if (both.length > 0) return refused('tag_conflict', { more: { tags: both } })
  await changeTags(agent.context, externalId, { add, remove })
  const after = await readContact(agent.context, externalId)
  const contact = contactReference(found.contact)
  return answer({ contact, added: add, removed: remove, tags: after?.contact.tags ?? [] })
}

async function unsubscribeUrl(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent } = call
  const found = await testContactOf(agent, idOf(call))
  if (!found.ok) return found
  const { config, clock } = agent.context
  const { publicUrl, unsubscribeSecret, unsubscribeTokenLifetimeDays: days } = config
  const expiresAt = new Date(clock.now().getTime() + days * DAY_MS)
  const email = found.contact.email.trim().toLowerCase()
  const token = signUnsubscribe({ email, scope: 'marketing' }, expiresAt, unsubscribeSecret)
  const contact = contactReference(found.contact)
  return answer({ contact, unsubscribeUrl: `${publicUrl}/m/unsub/${token}` })
}

async function reset(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, body, acting } = call
  const found = await testContactOf(agent, idOf(call))
  if (!found.ok) return found
  const removed = await resetContact(agent.context, found.contact, body, acting)
  const { externalId } = found.contact
  const subscription = await subscriptionOf(agent, externalId)
  return answer({ contact: contactReference(found.contact), removed, subscription })
}

const contactShape = Type.Object({
  contact: object,
  isTestContact: maybeFlag,
  subscription: maybeObject,
  suppressions: list,
  recentEvents: list,
  recentSends: list,
  runs: list
})

/** Below `/contacts`. */
export const contactOperations: readonly Operation[] = [
  {
    tool: 'get_contact',
    method: 'GET',
    path: '/contacts/:externalId',
    summary: 'A contact with its subscription, suppressions, events, sends and runs',
    scope: 'mail:read',
    output: contactShape,
    run: async (call) => {
      const found = await contactOf(call.agent, idOf(call))
      return found.ok ? described(call.agent, found.contact.externalId) : found
    }
  },
  {
    tool: 'get_contact_by_email',
    method: 'GET',
    path: '/contacts/by-email/:email',
    summary: 'The same, found by address',
    scope: 'mail:read',
    output: contactShape,
    run: byEmail
  },
  {
    tool: 'subscribe_contact',
    method: 'POST',
    path: '/contacts/:externalId/subscribe',
    summary: 'Subscribes a test contact and takes back its unsubscribes',
    scope: 'mail:write',
    output: Type.Object({ subscription: maybeObject, removedSuppressions: number }),
    hints: { idempotent: true },
    testContactsOnly: true,
    audit: 'agent.subscribe',
    run: subscribe
  },
  {
    tool: 'unsubscribe_contact',
    method: 'POST',
    path: '/contacts/:externalId/unsubscribe',
    summary: 'Unsubscribes a test contact from marketing mail',
    scope: 'mail:write',
    output: Type.Object({ subscription: maybeObject }),
    hints: { destructive: true, idempotent: true },
    testContactsOnly: true,
    audit: 'agent.unsubscribe',
    run: unsubscribe
  },
  {
    tool: 'tag_contact',
    method: 'POST',
    path: '/contacts/:externalId/tags',
    summary: 'Adds and removes tags of a test contact',
    scope: 'mail:write',
    output: Type.Object({
      contact: contactReferenceShape,
      added: Type.Array(text),
      removed: Type.Array(text),
      tags: Type.Array(text)
    }),
    hints: { destructive: true, idempotent: true },
    testContactsOnly: true,
    audit: 'agent.tags',
    body: Type.Object(
      { add: Type.Optional(tags), remove: Type.Optional(tags) },
      { additionalProperties: false }
    ),
    run: tag
  },
  {
    tool: 'get_unsubscribe_url',
    method: 'GET',
    path: '/contacts/:externalId/unsubscribe-url',
    summary: 'The signed one-click unsubscribe address of a test contact',
    scope: 'mail:read',
    output: Type.Object({ contact: contactReferenceShape, unsubscribeUrl: text }),
    testContactsOnly: true,
    run: unsubscribeUrl
  },
  {
    tool: 'reset_contact',
    method: 'POST',
    path: '/contacts/:externalId/reset',
    summary:
      'Deletes runs, sends, events and suppressions of a test contact and subscribes it again',
    scope: 'mail:write',
    output: Type.Object({
      contact: contactReferenceShape,
      removed: object,
      subscription: maybeObject
    }),
    hints: { destructive: true, idempotent: true },
    testContactsOnly: true,
    body: Type.Object(
      {
        runs: optionalFlag,
        sends: optionalFlag,
        suppressions: optionalFlag,
        subscribe: optionalFlag,
        events: Type.Optional(
          Type.Union([
            Type.Boolean(),
            Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 100 })
          ])
        )
      },
      { additionalProperties: false }
    ),
    run: reset
  }
]
