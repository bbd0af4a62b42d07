// Real mails to test contacts: send one, wait for what becomes of it, hand it over at once.
import { randomUUID } from 'node:crypto'
import type { MailState } from '@keelson/mailer/contracts'
import { type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import {
  type AgentHost,
  access,
  audited,
  contactIdInput,
  DOCUMENT_BYTES,
  idParams,
  slugParams,
  valuesInput
} from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, integer, sendSchema, text, webhookEventSchema } from '../answers/shapes.ts'
import { isHandedOver, isHopeless, isReached, WAIT_TARGETS } from '../waiting/decide-reached.ts'
import { TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'

const MAX_WAIT_MS = 55_000
const DEFAULT_WAIT_MS = 30_000
/** The worker that hands a mail over answers within this time, or the caller asks again. */
const HAND_OVER_MS = 20_000

const send = operation({
  id: 'agent.templates.send',
  method: 'POST',
  path: '/templates/:slug/send',
  summary: 'Sends the published version to a test contact, as a real mail',
  tool: 'send_template',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object(
    {
      contactId: contactIdInput,
      vars: Type.Optional(valuesInput),
      dedupeKey: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      dispatch: Type.Optional(Type.Enum(['now', 'queue']))
    },
    closed
  ),
  bodyLimit: DOCUMENT_BYTES,
  status: 201,
  answer: Type.Object({ sendId: text, dedupeKey: text, dispatched: flag, send: sendSchema }),
  errors: refusals.only(
    ...TEST_CONTACT_FAULTS,
    'template_not_found',
    'not_published',
    'send_not_found'
  ),
  async run({ params: { slug: templateSlug }, body }, call: Call<AgentHost>) {
    const { host, actor, callKey, signal } = call
    const { contactId: externalId, vars, dispatch = 'now' } = body
    const found = await testContactOf(call, externalId)
    if (!found.ok) return found
    const params = { slug: templateSlug }
    const template = await host.operations.as(actor).call('mailer.templates.read', { params })
    if (!template.ok) return refusals.refuse('template_not_found')
    if (template.answer.version === 0) return refusals.refuse('not_published')
    const dedupeKey = body.dedupeKey ?? callKey ?? randomUUID()
    const { sendId } = await host.core.as(actor).sendOneOff({
      templateSlug,
      externalId,
      dedupeKey: `agent:${dedupeKey}`,
      ...(vars !== undefined && { vars })
    })
    const isNow = dispatch === 'now'
    const isThere = isNow ? isHandedOver : () => true
    const waiting = { timeoutMs: HAND_OVER_MS, signal }
    const mail = await host.workbench.as(actor).mailWhen(sendId, isThere, waiting)
    if (mail === null) return refusals.refuse('send_not_found')
    return { sendId, dedupeKey, dispatched: isNow && isReached(mail, 'sent'), send: mail }
  }
})

const wait = operation({
  id: 'agent.sends.wait',
  method: 'GET',
  path: '/sends/:id/wait',
  summary: 'Waits until a send is sent, delivered, opened, clicked or over',
  tool: 'wait_for_send',
  agent: true,
  access: access.read,
  effect: 'read',
  hints: { long: true },
  params: idParams,
  query: Type.Object({
    status: Type.Optional(Type.Enum([...WAIT_TARGETS])),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'At most 55000; longer is cut.' })
    )
  }),
  answer: Type.Object({
    reached: flag,
    target: text,
    waitedMs: integer,
    send: sendSchema,
    webhookEvents: Type.Array(webhookEventSchema)
  }),
  errors: refusals.only('send_not_found'),
  async run({ params: { id }, query }, call: Call<AgentHost>) {
    const { status: target = 'delivered', timeoutMs: wanted = DEFAULT_WAIT_MS } = query
    const timeoutMs = Math.min(wanted, MAX_WAIT_MS)
    const startedAt = performance.now()
    const isOver = (mail: MailState): boolean => {
      const waitedMs = Math.min(Math.round(performance.now() - startedAt), timeoutMs)
      call.progress(waitedMs, timeoutMs, `The send is ${mail.status}.`)
      return isReached(mail, target) || isHopeless(mail, target)
    }
    const work = call.host.workbench.as(call.actor)
    const send = await work.mailWhen(id, isOver, { timeoutMs, signal: call.signal })
    if (send === null) return refusals.refuse('send_not_found')
    const waitedMs = Math.round(performance.now() - startedAt)
    const webhookEvents = await work.reportsOf(id)
    return { reached: isReached(send, target), target, waitedMs, send, webhookEvents }
  }
})

const dispatch = operation({
  id: 'agent.sends.dispatch',
  method: 'POST',
  path: '/sends/:id/dispatch',
  summary: 'Hands a waiting send to its provider at once',
  tool: 'dispatch_send',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { idempotent: true, mails: true },
  params: idParams,
  answer: Type.Object({ send: sendSchema }),
  errors: refusals.only(
    'send_not_found',
    'test_contacts_not_configured',
    'not_a_test_contact',
    'not_dispatchable'
  ),
  async run({ params: { id } }, { host, actor, signal }: Call<AgentHost>) {
    const work = host.workbench.as(actor)
    const wordFor = (mail: MailState) =>
      host.boundary.refusal(mail.email ?? undefined) ??
      (isHandedOver(mail) ? ('not_dispatchable' as const) : undefined)
    const send = await work.dispatch(id, (mail) => wordFor(mail) === undefined)
    if (send === null) return refusals.refuse('send_not_found')
    const word = wordFor(send)
    if (word !== undefined) return refusals.refuse(word)
    const waiting = { timeoutMs: HAND_OVER_MS, signal }
    return { send: (await work.mailWhen(id, isHandedOver, waiting)) ?? send }
  }
})

/** Below `/sends`, and the send of a template. */
export const sendOperations: readonly Operation<AgentHost>[] = [
  send,
  wait,
  audited('agent.dispatch', dispatch)
]
