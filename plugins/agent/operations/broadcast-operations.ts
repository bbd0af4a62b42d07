// Broadcasts for agents: to subscribed contacts alone, and only as many as were counted.
import {
  type BroadcastRow,
  broadcastDraftSchema,
  cancelBroadcast,
  changeBroadcastDraft,
  countBroadcast,
  createBroadcast,
  listBroadcasts,
  newBroadcastSchema,
  pauseByHand,
  readBroadcast,
  recipientCapSchema,
  resumeBroadcast,
  scheduleBroadcast,
  stopRulesSchema,
  testSend
} from '@keelson/mailer'
import { type Static, Type } from '@keelson/sdk'
import { type Refusal, refused, refusedAs } from '../answers/refusal.ts'
import { flag, number, object, sendShape, text } from '../answers/shapes.ts'
import { sendSummary } from '../answers/summaries.ts'
import { subscribedOnly } from '../boundary/subscribed-only.ts'
import { isHandedOver } from '../waiting/decide-reached.ts'
import { untilSend } from '../waiting/until-send.ts'
import { testContactOf } from './contact-guard.ts'
import {
  answer,
  invalid,
  type Operation,
  type OperationAnswer,
  type OperationCall
} from './operation.ts'

type Answered = Promise<OperationAnswer | Refusal>

const MOST_LISTED = 200
/** A test mail is handed over within this time, or the caller looks for it. */
const HAND_OVER_MS = 20_000
const slugOf = ({ params }: OperationCall) => params['slug'] ?? ''

/** A refusal of the mailer, with what it adds: the count that was expected. */
function refusalOf({ code, message, expected }: MailerRefusal): Refusal {
  if (code === 'not_found') return refused('broadcast_not_found')
  const more = expected === undefined ? {} : { more: { expected } }
  return refusedAs(code, message ?? '', { status: 409, ...more })
}

interface MailerRefusal {
  readonly ok: false
  readonly code: string
  readonly message?: string
  readonly expected?: number
}

type Made<R extends { readonly ok: true }> = R | MailerRefusal

/** A broadcast that a change answers, or why it was refused. */
function changed(
  result: Made<{ readonly ok: true; readonly broadcast: BroadcastRow }>,
  status = 200
): OperationAnswer | Refusal {
  return result.ok ? answer({ broadcast: result.broadcast }, status) : refusalOf(result)
}

/** The broadcast of a call, if it mails subscribed contacts alone. */
async function subscribedBroadcast(call: OperationCall): Promise<Refusal | undefined> {
  const detail = await readBroadcast(call.agent.context, slugOf(call))
  if (detail === null) return refused('broadcast_not_found')
  return subscribedOnly(detail.broadcast.segmentDefinition)
    ? undefined
    : refused('segment_requires_subscribed')
}

async function create({ agent, body, acting }: OperationCall): Answered {
  const input = body as Static<typeof newBroadcastSchema>
  if (!subscribedOnly(input.segmentDefinition)) return refused('segment_requires_subscribed')
  return changed(await createBroadcast(agent.context, input, acting), 201)
}

async function change(call: OperationCall): Answered {
  const input = call.body as Static<typeof broadcastDraftSchema>
  const { segmentDefinition } = input
  if (segmentDefinition !== undefined && !subscribedOnly(segmentDefinition))
    return refused('segment_requires_subscribed')
  return changed(await changeBroadcastDraft(call.agent.context, slugOf(call), input, call.acting))
}

async function read(call: OperationCall): Answered {
  const detail = await readBroadcast(call.agent.context, slugOf(call))
  if (detail === null) return refused('broadcast_not_found')
  return answer({ ...detail, stopRules: detail.broadcast.stopRules })
}

async function count(call: OperationCall): Answered {
  const { recipientCap } = call.body as { readonly recipientCap?: number | null }
  const options = recipientCap === undefined ? {} : { recipientCap }
  const counted = await countBroadcast(call.agent.context, slugOf(call), options)
  if (!counted.ok) return refusalOf(counted)
  const { ok: _ok, ...counts } = counted
  return answer(counts)
}

async function schedule(call: OperationCall): Answered {
  const { scheduledAt, expiresAt, confirmedCount } = call.body as {
    readonly scheduledAt: string
    readonly expiresAt?: string
    readonly confirmedCount: number
  }
  const times = { scheduledAt, ...(expiresAt !== undefined && { expiresAt }) }
  const wrong = Object.entries(times).find(([, time]) => Number.isNaN(Date.parse(time)))
  if (wrong !== undefined) return invalid(wrong[0], 'must be a date')
  const outside = await subscribedBroadcast(call)
  if (outside !== undefined) return outside
  const plan = {
    scheduledAt: new Date(scheduledAt),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    confirmedCount
  }
  return changed(await scheduleBroadcast(call.agent.context, slugOf(call), plan, call.acting))
}

async function resume(call: OperationCall): Answered {
  const { agent, acting } = call
  const outside = await subscribedBroadcast(call)
  if (outside !== undefined) return outside
  if ((await agent.health())?.status === 'tripped') return refused('circuit_breaker_tripped')
  return changed(await resumeBroadcast(agent.context, slugOf(call), call.body, acting))
}

async function cancel(call: OperationCall): Answered {
  const result = await cancelBroadcast(call.agent.context, slugOf(call), call.acting)
  if (!result.ok) return refusalOf(result)
  const { broadcast, cancelledSends } = result
  return answer({ broadcast, cancelledSends })
}

/** Every contact is checked before the first mail is queued. */
async function sendTests(call: OperationCall): Answered {
  const { agent, acting, callKey } = call
  const { contactIds } = call.body as { readonly contactIds: readonly string[] }
  for (const contactId of contactIds) {
    const found = await testContactOf(agent, contactId)
    if (!found.ok) return found
  }
  const result = await testSend(agent.context, slugOf(call), contactIds, {
    ...acting,
    ...(callKey !== undefined && { key: callKey })
  })
  if (!result.ok) return refusalOf(result)
  const { broadcast } = result
  const rows = await Promise.all(
    result.sends.map(({ sendId }) => untilSend(agent, sendId, isHandedOver, HAND_OVER_MS))
  )
  const sends = rows.filter((row) => row !== null)
  return answer(
    {
      broadcast,
      templateSlug: broadcast.templateSlug,
      dispatched: sends.length === rows.length && sends.every(isHandedOver),
      sends: sends.map(sendSummary)
    },
    201
  )
}

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
}

const broadcastShape = Type.Object({ broadcast: object })
const closed = { additionalProperties: false } as const
const confirmedCount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const time = Type.String({ maxLength: 64, description: 'ISO 8601.' })

/** Below `/broadcasts`. */
export const broadcastOperations: readonly Operation[] = [
  {
    tool: 'list_broadcasts',
    method: 'GET',
    path: '/broadcasts',
    summary: 'Broadcasts, newest first',
    scope: 'mail:read',
    output: Type.Array(object),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 200.' })),
      cursor: Type.Optional(Type.String({ maxLength: 600 }))
    }),
    run: async ({ agent, query }) => {
      const { limit = MOST_LISTED, ...page } = query as ListQuery
      const options = { ...page, limit: Math.min(limit, MOST_LISTED) }
      const { rows, nextCursor } = await listBroadcasts(agent.context, options)
      return nextCursor === undefined ? answer(rows) : { ...answer(rows), nextCursor }
    }
  },
  {
    tool: 'create_broadcast',
    method: 'POST',
    path: '/broadcasts',
    summary: 'Makes a draft; its segment must filter by subscribed contacts',
    scope: 'mail:write',
    output: broadcastShape,
    body: newBroadcastSchema,
    run: create
  },
  {
    tool: 'get_broadcast',
    method: 'GET',
    path: '/broadcasts/:slug',
    summary: 'A broadcast with its progress',
    scope: 'mail:read',
    output: Type.Object({
      broadcast: object,
      stats: object,
      statusBreakdown: object,
      capProgress: object,
      stopRules: object
    }),
    run: read
  },
  {
    tool: 'change_broadcast',
    method: 'PATCH',
    path: '/broadcasts/:slug',
    summary: 'Changes a draft',
    scope: 'mail:write',
    output: broadcastShape,
    hints: { destructive: true, idempotent: true },
    body: broadcastDraftSchema,
    run: change
  },
  {
    tool: 'count_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/count',
    summary: 'Counts who would still be mailed, within the cap and without it',
    scope: 'mail:read',
    output: Type.Object({
      recipientCount: number,
      uncappedRecipientCount: number,
      heldSends: number
    }),
    body: Type.Object({ recipientCap: Type.Optional(recipientCapSchema) }, closed),
    run: count
  },
  {
    tool: 'schedule_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/schedule',
    summary: 'Schedules a draft to real contacts; confirmedCount must be the count of this moment',
    scope: 'mail:write',
    output: broadcastShape,
    hints: { mails: true },
    body: Type.Object(
      { scheduledAt: time, expiresAt: Type.Optional(time), confirmedCount },
      closed
    ),
    run: schedule
  },
  {
    tool: 'test_send_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/test-send',
    summary: 'Sends the mail of a broadcast to 1 to 10 test contacts',
    scope: 'mail:write',
    output: Type.Object({
      broadcast: object,
      templateSlug: text,
      dispatched: flag,
      sends: Type.Array(sendShape)
    }),
    hints: { mails: true },
    testContactsOnly: true,
    body: Type.Object(
      {
        contactIds: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          minItems: 1,
          maxItems: 10,
          uniqueItems: true
        })
      },
      closed
    ),
    run: sendTests
  },
  {
    tool: 'pause_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/pause',
    summary: 'Pauses a broadcast and holds its waiting mails',
    scope: 'mail:write',
    output: broadcastShape,
    hints: { idempotent: true },
    run: async (call) => changed(await pauseByHand(call.agent.context, slugOf(call), call.acting))
  },
  {
    tool: 'resume_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/resume',
    summary: 'Resumes a broadcast, or lets its next wave out; recipientCap null removes the cap',
    scope: 'mail:write',
    output: broadcastShape,
    hints: { mails: true },
    body: Type.Object(
      {
        confirmedCount,
        recipientCap: Type.Optional(recipientCapSchema),
        stopRules: Type.Optional(stopRulesSchema)
      },
      closed
    ),
    run: resume
  },
  {
    tool: 'cancel_broadcast',
    method: 'POST',
    path: '/broadcasts/:slug/cancel',
    summary: 'Ends a broadcast and cancels its waiting mails',
    scope: 'mail:write',
    output: Type.Object({ broadcast: object, cancelledSends: number }),
    hints: { destructive: true },
    run: cancel
  }
]
