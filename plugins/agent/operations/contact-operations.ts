// Contacts for agents: read any; subscribe, unsubscribe and tag test contacts.
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import {
  type Acting,
  type AgentHost,
  access,
  audited,
  contactParams,
  emailParams
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import {
  contactReferenceSchema,
  eventSchema,
  integer,
  runSchema,
  sendSchema,
  subscriptionSchema,
  suppressionSchema,
  text,
  values
} from '../answers/shapes.ts'
import { contactReference, TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'

const MOST_TAGS = 25
const optionalFlag = Type.Optional(Type.Boolean())
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: MOST_TAGS })

const contactSchema = Type.Object(
  {
    contact: Type.Object({
      externalId: text,
      email: text,
      tags: Type.Array(text),
      fields: values,
      timezone: Type.Optional(text),
      locale: Type.Optional(text)
    }),
    isTestContact: Type.Union([Type.Boolean(), Type.Null()]),
    subscription: subscriptionSchema,
    suppressions: Type.Array(suppressionSchema),
    recentEvents: Type.Array(eventSchema),
    recentSends: Type.Array(sendSchema),
    runs: Type.Array(runSchema)
  },
  { title: 'AgentContact' }
)

async function described({ host, actor }: Acting, externalId: string) {
  const state = await host.workbench.as(actor).contactState(externalId)
  if (state === null) {
    const message = `There is no contact ${externalId}.`
    return refusals.refuse('contact_not_found', { message })
  }
  return { ...state, isTestContact: host.boundary.isTestContact(state.contact.email) }
}

const read = operation({
  id: 'agent.contacts.read',
  method: 'GET',
  path: '/contacts/:externalId',
  summary: 'A contact with its subscription, suppressions, events, sends and runs',
  tool: 'get_contact',
  agent: true,
  access: access.read,
  effect: 'read',
  params: contactParams,
  answer: contactSchema,
  errors: refusals.only('contact_not_found'),
  run: ({ params: { externalId } }, call: Call<AgentHost>) => described(call, externalId)
})

const readByEmail = operation({
  id: 'agent.contacts.readByEmail',
  method: 'GET',
  path: '/contacts/by-email/:email',
  summary: 'The same, found by address',
  tool: 'get_contact_by_email',
  agent: true,
  access: access.read,
  effect: 'read',
  params: emailParams,
  answer: contactSchema,
  errors: refusals.only('contact_not_found'),
  async run({ params: { email } }, call: Call<AgentHost>) {
    const contact = await call.host.workbench.as(call.actor).contactByEmail(email)
    if (contact === null) return refusals.refuse('contact_not_found')
    return described(call, contact.externalId)
  }
})

const subscribe = operation({
  id: 'agent.contacts.subscribe',
  method: 'POST',
  path: '/contacts/:externalId/subscribe',
  summary: 'Subscribes a test contact and takes back its unsubscribes',
  tool: 'subscribe_contact',
  agent: true,
  access: access.write,
  effect: 'release',
  hints: { idempotent: true },
  params: contactParams,
  answer: Type.Object({ subscription: subscriptionSchema, removedSuppressions: integer }),
  errors: refusals.only(...TEST_CONTACT_FAULTS),
  async run({ params: { externalId } }, call: Call<AgentHost>) {
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const work = call.host.workbench.as(call.actor)
    const { removedSuppressions } = await work.subscribe(externalId, { source: 'agent' })
    return { subscription: await work.subscription(externalId), removedSuppressions }
  }
})

const unsubscribe = operation({
  id: 'agent.contacts.unsubscribe',
  method: 'POST',
  path: '/contacts/:externalId/unsubscribe',
  summary: 'Unsubscribes a test contact from marketing mail',
  tool: 'unsubscribe_contact',
  agent: true,
  access: access.write,
  effect: 'stop',
  hints: { destructive: true, idempotent: true },
  params: contactParams,
  answer: Type.Object({ subscription: subscriptionSchema }),
  errors: refusals.only(...TEST_CONTACT_FAULTS),
  async run({ params: { externalId } }, call: Call<AgentHost>) {
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const { host, actor } = call
    const options = { scope: 'marketing', reason: 'user_request', source: 'agent' } as const
    await host.core.as(actor).unsubscribe(found.contact.email, options)
    return { subscription: await host.workbench.as(actor).subscription(externalId) }
  }
})

const tag = operation({
  id: 'agent.contacts.changeTags',
  method: 'POST',
  path: '/contacts/:externalId/tags',
  summary: 'Adds and removes tags of a test contact',
  tool: 'tag_contact',
  agent: true,
  access: access.write,
  effect: 'change',
  hints: { destructive: true, idempotent: true },
  params: contactParams,
  body: Type.Object({ add: Type.Optional(tags), remove: Type.Optional(tags) }, closed),
  answer: Type.Object({
    contact: contactReferenceSchema,
    added: Type.Array(text),
    removed: Type.Array(text),
    tags: Type.Array(text)
  }),
  errors: refusals.only(...TEST_CONTACT_FAULTS, 'no_tags', 'tag_conflict'),
  async run({ params: { externalId }, body }, call: Call<AgentHost>) {
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const added = [...new Set(body.add)]
    const removed = [...new Set(body.remove)]
    if (added.length + removed.length === 0) return refusals.refuse('no_tags')
    const both = added.filter((name) => removed.includes(name))
    if (both.length > 0) return refusals.refuse('tag_conflict', { more: { tags: both } })
    const change = { add: added, remove: removed }
    const tags = await call.host.workbench.as(call.actor).changeTags(externalId, change)
    return { contact: contactReference(found.contact), added, removed, tags }
  }
})

const unsubscribeUrl = operation({
  id: 'agent.contacts.readUnsubscribeUrl',
  method: 'GET',
  path: '/contacts/:externalId/unsubscribe-url',
  summary: 'The signed one-click unsubscribe address of a test contact',
  tool: 'get_unsubscribe_url',
  agent: true,
  access: access.read,
  effect: 'read',
  params: contactParams,
  answer: Type.Object({ contact: contactReferenceSchema, unsubscribeUrl: text }),
  errors: refusals.only(...TEST_CONTACT_FAULTS),
  async run({ params: { externalId } }, call: Call<AgentHost>) {
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const work = call.host.workbench.as(call.actor)
    const unsubscribeUrl = await work.unsubscribeUrl(found.contact.email)
    return { contact: contactReference(found.contact), unsubscribeUrl }
  }
})

const reset = operation({
  id: 'agent.contacts.reset',
  method: 'POST',
  path: '/contacts/:externalId/reset',
  summary: 'Deletes runs, sends, events and suppressions of a test contact and subscribes it again',
  tool: 'reset_contact',
  agent: true,
  access: access.write,
  effect: 'release',
  hints: { destructive: true, idempotent: true },
  params: contactParams,
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
    closed
  ),
  answer: Type.Object({
    contact: contactReferenceSchema,
    removed: Type.Object({ runs: integer, sends: integer, events: integer, suppressions: integer }),
    subscription: subscriptionSchema
  }),
  errors: refusals.only(...TEST_CONTACT_FAULTS),
  async run({ params: { externalId }, body }, call: Call<AgentHost>) {
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const work = call.host.workbench.as(call.actor)
    const removed = await work.resetContact(found.contact, body)
    const subscription = await work.subscription(externalId)
    return { contact: contactReference(found.contact), removed, subscription }
  }
})

/** Below `/contacts`. */
export const contactOperations: readonly Operation<AgentHost>[] = [
  read,
  readByEmail,
  audited('agent.subscribe', subscribe),
  unsubscribe,
  audited('agent.tags', tag),
  unsubscribeUrl,
  reset
]
