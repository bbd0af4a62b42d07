// Real mails to test contacts: send one, wait for what becomes of it, hand it over at once.
import { randomUUID } from 'node:crypto'
import { getTemplate, readSend } from '@keelson/mailer'
import { Type } from '@keelson/sdk'
import { type Refusal, refused } from '../answers/refusal.ts'
import { flag, list, number, sendShape, text } from '../answers/shapes.ts'
import { sendSummary } from '../answers/summaries.ts'
import {
  isHandedOver,
  isHopeless,
  isReached,
  WAIT_TARGETS,
  type WaitTarget
} from '../waiting/decide-reached.ts'
import { type Until, untilSend } from '../waiting/until-send.ts'
import { testContactOf } from './contact-guard.ts'
import { answer, type Operation, type OperationAnswer, type OperationCall } from './operation.ts'

const MAX_WAIT_MS = 55_000
const DEFAULT_WAIT_MS = 30_000
/** The worker that hands a mail over answers within this time, or the caller asks again. */
const HAND_OVER_MS = 20_000

async function send(call: OperationCall): Promise<OperationAnswer | Refusal> {
  const { agent, params, body } = call
  const { context } = agent
  const templateSlug = params['slug'] ?? ''
  const externalId = String(body['contactId'])
  const found = await testContactOf(agent, externalId)
  if (!found.ok) return found
  const template = await getTemplate(context, templateSlug)
  if (template === null) return refused('template_not_found')
  if (template.version === 0) return refused('not_published')
  const dedupeKey = (body['dedupeKey'] as string | undefined) ?? call.callKey ?? randomUUID()
  const vars = body['vars'] as Readonly<Record<string, unknown>> | undefined
  const { sendId } = await context.core.sendOneOff({
    templateSlug,
    externalId,
    dedupeKey: `agent:${dedupeKey}`,
    ...(vars !== undefined && { vars })
  })
  const isNow = body['dispatch'] !== 'queue'
  const row = await untilSend(agent, sendId, isNow ? isHandedOver : () => true, HAND_OVER_MS)
  if (row === null) return refused('send_not_found')
  const dispatched = isNow && isHandedOver(row)
  return answer({ sendId, dedupeKey, dispatched, send: sendSummary(row) }, 201)
}

async function wait({
  agent,
  params,
  query,
  progress
}: OperationCall): Promise<OperationAnswer | Refusal> {
  const target = (query['status'] ?? 'delivered') as WaitTarget
  const timeoutMs = Math.min(Number(query['timeoutMs'] ?? DEFAULT_WAIT_MS), MAX_WAIT_MS)
  const startedAt = performance.now()
  const isOver: Until = (row) => {
    const waitedMs = Math.min(Math.round(performance.now() - startedAt), timeoutMs)
    progress?.(waitedMs, timeoutMs, `The send is ${row.status}.`)
    return isReached(row, target) || isHopeless(row, target)
  }
  const row = await untilSend(agent, params['id'] ?? '', isOver, timeoutMs)
  if (row === null) return refused('send_not_found')
  const waitedMs = Math.round(performance.now() - startedAt)
  const { webhookEvents = [] } = (await readSend(agent.context, row._id)) ?? {}
  const reached = isReached(row, target)
  return answer({ reached, target, waitedMs, send: sendSummary(row), webhookEvents })
}

async function dispatch({ agent, params }: OperationCall): Promise<OperationAnswer | Refusal> {
  const id = params['id'] ?? ''
  const { context, boundary } = agent
  const row = await context.collections.sends.findOne({ _id: id })
  if (row === null) return refused('send_not_found')
  const refusal = boundary.refusal(row.emailAtSend ?? undefined)
  if (refusal !== undefined) return refused(refusal)
  if (isHandedOver(row)) return refused('not_dispatchable')
  const queue = row.lane === 'urgent' ? context.queues.urgentSends : context.queues.bulkSends
  await queue.reschedule({ _id: id })
  const after = await untilSend(agent, id, isHandedOver, HAND_OVER_MS)
  return answer({ send: sendSummary(after ?? row) })
}

/** Below `/sends`, and the send of a template. */
export const sendOperations: readonly Operation[] = [
  {
    tool: 'send_template',
    method: 'POST',
    path: '/templates/:slug/send',
    summary: 'Sends the published version to a test contact, as a real mail',
    scope: 'mail:write',
    output: Type.Object({ sendId: text, dedupeKey: text, dispatched: flag, send: sendShape }),
    hints: { mails: true },
    testContactsOnly: true,
    audit: 'agent.send',
    body: Type.Object(
      {
        contactId: Type.String({ minLength: 1, maxLength: 256 }),
        vars: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        dedupeKey: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        dispatch: Type.Optional(Type.Enum(['now', 'queue']))
      },
      { additionalProperties: false }
    ),
    run: send
  },
  {
    tool: 'wait_for_send',
    method: 'GET',
    path: '/sends/:id/wait',
    isLong: true,
    summary: 'Waits until a send is sent, delivered, opened, clicked or over',
    scope: 'mail:read',
    output: Type.Object({
      reached: flag,
      target: text,
      waitedMs: number,
      send: sendShape,
      webhookEvents: list
    }),
    query: Type.Object({
      status: Type.Optional(Type.Enum([...WAIT_TARGETS])),
      timeoutMs: Type.Optional(
        Type.Integer({ minimum: 0, description: 'At most 55000; longer is cut.' })
      )
    }),
    run: wait
  },
  {
    tool: 'dispatch_send',
    method: 'POST',
    path: '/sends/:id/dispatch',
    summary: 'Hands a waiting send to its provider at once',
    scope: 'mail:write',
    output: Type.Object({ send: sendShape }),
    hints: { idempotent: true, mails: true },
    testContactsOnly: true,
    audit: 'agent.dispatch',
    run: dispatch
  }
]
