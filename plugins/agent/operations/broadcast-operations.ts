// Broadcasts for agents: to subscribed contacts alone, and only as many as were counted.
import {
  actingOf,
  broadcastDraftSchema,
  broadcastSchema,
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
  retryBroadcast,
  scheduleBroadcast,
  stopRulesSchema,
  testSend
} from '@keelson/mailer'
import { answered, type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access, contactIdInput, slugParams, timeInput } from '../agent-host.ts'
import {
  broadcastAnswer,
  broadcastProgressSchema,
  changedBroadcastSchema as changedSchema
} from '../answers/broadcast-answers.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, integer, sendSchema, text } from '../answers/shapes.ts'
import { sendSummary } from '../answers/summaries.ts'
import { subscribedOnly } from '../boundary/subscribed-only.ts'
import { isHandedOver, isReached } from '../waiting/decide-reached.ts'
import { untilSend } from '../waiting/until-send.ts'
import { changed, outsideRefusal, refusalOf, releaseRefusal } from './broadcast-refusals.ts'
import { TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'
import { invalid, isDate } from './invalid.ts'

const MOST_LISTED = 200
/** A test mail is handed over within this time, or the caller looks for it. */
const HAND_OVER_MS = 20_000
const SLUG = '/broadcasts/:slug'
const confirmedCount = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const CHANGE_FAULTS = ['broadcast_not_found', 'draft_conflict'] as const
const DRAFT_FAULTS = [
  'segment_requires_subscribed',
  'invalid_segment',
  'template_not_found',
  'template_not_marketing',
  'order_unsupported',
  'variants_not_distinct'
] as const

const list = operation({
  id: 'agent.broadcasts.list',
  method: 'GET',
  path: '/broadcasts',
  summary: 'Broadcasts, newest first',
  tool: 'list_broadcasts',
  agent: true,
  access: access.read,
  effect: 'read',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 200.' })),
    cursor: Type.Optional(Type.String({ maxLength: 600 }))
  }),
  answer: Type.Array(broadcastSchema),
  async run({ query: { limit = MOST_LISTED, ...page } }, { host }: Call<AgentHost>) {
    const options = { ...page, limit: Math.min(limit, MOST_LISTED) }
    const { rows, nextCursor } = await listBroadcasts(host.context, options)
    return answered(rows.map(broadcastAnswer), { nextCursor })
  }
})

const create = operation({
  id: 'agent.broadcasts.create',
  method: 'POST',
  path: '/broadcasts',
  summary: 'Makes a draft; its segment must filter by subscribed contacts',
  tool: 'create_broadcast',
  agent: true,
  access: access.write,
  effect: 'change',
  body: newBroadcastSchema,
  status: 201,
  answer: changedSchema,
  errors: refusals.only(...DRAFT_FAULTS, 'slug_taken'),
  async run({ body }, { host, actor }: Call<AgentHost>) {
    if (!subscribedOnly(body.segmentDefinition))
      return refusals.refuse('segment_requires_subscribed')
    const result = await createBroadcast(host.context, body, actingOf(actor))
    return result.ok ? { broadcast: broadcastAnswer(result.broadcast) } : result
  }
})

const read = operation({
  id: 'agent.broadcasts.read',
  method: 'GET',
  path: SLUG,
  summary: 'A broadcast with its progress',
  tool: 'get_broadcast',
  agent: true,
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: broadcastProgressSchema,
  errors: refusals.only('broadcast_not_found'),
  async run({ params: { slug } }, { host }: Call<AgentHost>) {
    const detail = await readBroadcast(host.context, slug)
    if (detail === null) return refusals.refuse('broadcast_not_found')
    const broadcast = broadcastAnswer(detail.broadcast)
    return { ...detail, broadcast, stopRules: broadcast.stopRules }
  }
})

const change = operation({
  id: 'agent.broadcasts.change',
  method: 'PATCH',
  path: SLUG,
  summary: 'Changes a draft',
  tool: 'change_broadcast',
  agent: true,
  access: access.write,
  effect: 'change',
  hints: { destructive: true, idempotent: true },
  params: slugParams,
  body: broadcastDraftSchema,
  answer: changedSchema,
  errors: refusals.only(...CHANGE_FAULTS, ...DRAFT_FAULTS, 'not_draft'),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const { segmentDefinition } = body
    if (segmentDefinition !== undefined && !subscribedOnly(segmentDefinition))
      return refusals.refuse('segment_requires_subscribed')
    return changed(await changeBroadcastDraft(host.context, slug, body, actingOf(actor)))
  }
})

const count = operation({
  id: 'agent.broadcasts.count',
  method: 'POST',
  path: `${SLUG}/count`,
  summary: 'Counts who would still be mailed, within the cap and without it',
  tool: 'count_broadcast',
  agent: true,
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: Type.Object({ recipientCap: Type.Optional(recipientCapSchema) }, closed),
  answer: Type.Object({
    recipientCount: integer,
    uncappedRecipientCount: integer,
    heldSends: integer
  }),
  errors: refusals.only('broadcast_not_found', 'invalid_segment'),
  async run({ params: { slug }, body }, { host }: Call<AgentHost>) {
    const counted = await countBroadcast(host.context, slug, body)
    return counted.ok ? counted : refusalOf(counted)
  }
})

const schedule = operation({
  id: 'agent.broadcasts.schedule',
  method: 'POST',
  path: `${SLUG}/schedule`,
  summary: 'Schedules a draft to real contacts; confirmedCount must be the count of this moment',
  tool: 'schedule_broadcast',
  agent: true,
  access: access.write,
  effect: 'release',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object(
    { scheduledAt: timeInput, expiresAt: Type.Optional(timeInput), confirmedCount },
    closed
  ),
  answer: changedSchema,
  errors: refusals.only(
    ...CHANGE_FAULTS,
    'segment_requires_subscribed',
    'scheduledAt_required',
    'bad_scheduledAt',
    'bad_expiresAt',
    'confirmedCount_required',
    'count_mismatch',
    'not_draft',
    'template_not_published',
    'changed_meanwhile'
  ),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const { scheduledAt, expiresAt, confirmedCount } = body
    if (!isDate(scheduledAt)) return invalid('scheduledAt', 'must be a date')
    if (expiresAt !== undefined && !isDate(expiresAt)) return invalid('expiresAt', 'must be a date')
    const outside = await outsideRefusal(host, slug)
    if (outside !== undefined) return outside
    const plan = {
      scheduledAt: new Date(scheduledAt),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      confirmedCount
    }
    return changed(await scheduleBroadcast(host.context, slug, plan, actingOf(actor)))
  }
})

const sendTests = operation({
  id: 'agent.broadcasts.sendTest',
  method: 'POST',
  path: `${SLUG}/test-send`,
  summary: 'Sends the mail of a broadcast to 1 to 10 test contacts',
  tool: 'test_send_broadcast',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object(
    { contactIds: Type.Array(contactIdInput, { minItems: 1, maxItems: 10, uniqueItems: true }) },
    closed
  ),
  status: 201,
  answer: Type.Object({
    broadcast: broadcastSchema,
    templateSlug: text,
    dispatched: flag,
    sends: Type.Array(sendSchema)
  }),
  errors: refusals.only(...TEST_CONTACT_FAULTS, 'broadcast_not_found'),
  async run({ params: { slug }, body: { contactIds } }, call: Call<AgentHost>) {
    const { host, actor, callKey: key } = call
    // Every contact is checked before the first mail is queued.
    for (const contactId of contactIds) {
      const found = await testContactOf(host, contactId)
      if (!found.ok) return found
    }
    const by = { ...actingOf(actor), ...(key !== undefined && { key }) }
    const result = await testSend(host.context, slug, contactIds, by)
    if (!result.ok) return refusalOf(result)
    const { broadcast } = result
    const rows = await Promise.all(
      result.sends.map(({ sendId }) => untilSend(call, sendId, isHandedOver, HAND_OVER_MS))
    )
    const sends = rows.filter((row) => row !== null)
    const dispatched =
      sends.length === rows.length && sends.every((send) => isReached(send, 'sent'))
    const { templateSlug } = broadcast
    const shown = broadcastAnswer(broadcast)
    return { broadcast: shown, templateSlug, dispatched, sends: sends.map(sendSummary) }
  }
})

const pause = operation({
  id: 'agent.broadcasts.pause',
  method: 'POST',
  path: `${SLUG}/pause`,
  summary: 'Pauses a broadcast and holds its waiting mails',
  tool: 'pause_broadcast',
  agent: true,
  access: access.write,
  effect: 'stop',
  hints: { idempotent: true },
  params: slugParams,
  answer: changedSchema,
  errors: refusals.only(...CHANGE_FAULTS, 'not_pausable'),
  run: async ({ params: { slug } }, { host, actor }: Call<AgentHost>) =>
    changed(await pauseByHand(host.context, slug, actingOf(actor)))
})

const resume = operation({
  id: 'agent.broadcasts.resume',
  method: 'POST',
  path: `${SLUG}/resume`,
  summary: 'Resumes a broadcast, or lets its next wave out; recipientCap null removes the cap',
  tool: 'resume_broadcast',
  agent: true,
  access: access.write,
  effect: 'release',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object(
    {
      confirmedCount,
      recipientCap: Type.Optional(recipientCapSchema),
      stopRules: Type.Optional(stopRulesSchema)
    },
    closed
  ),
  answer: changedSchema,
  errors: refusals.only(
    ...CHANGE_FAULTS,
    'segment_requires_subscribed',
    'circuit_breaker_tripped',
    'not_paused',
    'confirmedCount_required',
    'count_mismatch',
    'cap_not_raised',
    'changed_meanwhile',
    'stop_rule_still_breached'
  ),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const refused = await releaseRefusal(host, slug)
    if (refused !== undefined) return refused
    return changed(await resumeBroadcast(host.context, slug, body, actingOf(actor)))
  }
})

const retry = operation({
  id: 'agent.broadcasts.retry',
  method: 'POST',
  path: `${SLUG}/retry`,
  summary: 'Sends the failed mails of a broadcast again; no recipient gets two',
  tool: 'retry_broadcast',
  agent: true,
  access: access.write,
  effect: 'send',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object({ confirmedCount }, closed),
  answer: Type.Object({ broadcast: broadcastSchema, retriedSends: integer }),
  errors: refusals.only(
    ...CHANGE_FAULTS,
    'segment_requires_subscribed',
    'circuit_breaker_tripped',
    'not_retryable',
    'count_mismatch'
  ),
  async run({ params: { slug }, body }, { host, actor }: Call<AgentHost>) {
    const refused = await releaseRefusal(host, slug)
    if (refused !== undefined) return refused
    const result = await retryBroadcast(host.context, slug, body, actingOf(actor))
    if (!result.ok) return refusalOf(result)
    return { ...result, broadcast: broadcastAnswer(result.broadcast) }
  }
})

const cancel = operation({
  id: 'agent.broadcasts.cancel',
  method: 'POST',
  path: `${SLUG}/cancel`,
  summary: 'Ends a broadcast and cancels its waiting mails',
  tool: 'cancel_broadcast',
  agent: true,
  access: access.write,
  effect: 'stop',
  hints: { destructive: true },
  params: slugParams,
  answer: Type.Object({ broadcast: broadcastSchema, cancelledSends: integer }),
  errors: refusals.only(...CHANGE_FAULTS, 'already_finished'),
  async run({ params: { slug } }, { host, actor }: Call<AgentHost>) {
    const result = await cancelBroadcast(host.context, slug, actingOf(actor))
    if (!result.ok) return refusalOf(result)
    return { ...result, broadcast: broadcastAnswer(result.broadcast) }
  }
})

/** Below `/broadcasts`. */
export const broadcastOperations: readonly Operation<AgentHost>[] = [
  list,
  create,
  read,
  change,
  count,
  schedule,
  sendTests,
  pause,
  resume,
  retry,
  cancel
]
