// Broadcasts for agents: to subscribed contacts alone, and only as many as were counted.
import { answered, type Call, closed, type Operation, operation, Type } from '@keelson/sdk'
import { type AgentHost, access, contactIdInput, slugParams, timeInput } from '../agent-host.ts'
import {
  broadcastProgressSchema,
  broadcastSchema,
  changedBroadcastSchema as changedSchema
} from '../answers/broadcast-answers.ts'
import type { MailerSchemas } from '../answers/mailer-schemas.ts'
import { refusals } from '../answers/refusals.ts'
import { flag, integer, sendSchema, text } from '../answers/shapes.ts'
import { subscribedOnly } from '../boundary/subscribed-only.ts'
import { isHandedOver, isReached } from '../waiting/decide-reached.ts'
import {
  CHANGE_FAULTS,
  changed,
  confirmedCount,
  outsideRefusal,
  refusalOf,
  SLUG
} from './broadcast-refusals.ts'
import { TEST_CONTACT_FAULTS, testContactOf } from './contact-guard.ts'
import { invalid, isDate } from './invalid.ts'
import { runningOperations } from './running-broadcast-operations.ts'

const MOST_LISTED = 200
/** A test mail is handed over within this time, or the caller looks for it. */
const HAND_OVER_MS = 20_000
const DRAFT_FAULTS = [
  'segment_requires_subscribed',
  'invalid_segment',
  'invalid_texts',
  'template_not_found',
  'template_not_marketing',
  'order_unsupported',
  'variants_not_distinct'
] as const

const list = (mailer: MailerSchemas) =>
  operation({
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
    answer: Type.Array(broadcastSchema(mailer)),
    async run({ query: { limit = MOST_LISTED, ...page } }, { host, actor }: Call<AgentHost>) {
      const options = { ...page, limit: Math.min(limit, MOST_LISTED) }
      const { rows, nextCursor } = await host.workbench.as(actor).broadcasts(options)
      return answered(rows, { nextCursor })
    }
  })

const create = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.create',
    method: 'POST',
    path: '/broadcasts',
    summary: 'Makes a draft; its segment must filter by subscribed contacts',
    tool: 'create_broadcast',
    agent: true,
    access: access.write,
    effect: 'change',
    body: mailer.body('mailer.broadcasts.create'),
    status: 201,
    answer: changedSchema(mailer),
    errors: refusals.only(...DRAFT_FAULTS, 'slug_taken'),
    async run({ body }, { host, actor }: Call<AgentHost>) {
      if (!subscribedOnly(body.segmentDefinition))
        return refusals.refuse('segment_requires_subscribed')
      const result = await host.operations.as(actor).call('mailer.broadcasts.create', { body })
      return result.ok ? { broadcast: result.answer } : result
    }
  })

const read = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.read',
    method: 'GET',
    path: SLUG,
    summary: 'A broadcast with its progress',
    tool: 'get_broadcast',
    agent: true,
    access: access.read,
    effect: 'read',
    params: slugParams,
    answer: broadcastProgressSchema(mailer),
    errors: refusals.only('broadcast_not_found'),
    async run({ params }, { host, actor }: Call<AgentHost>) {
      const result = await host.operations.as(actor).call('mailer.broadcasts.read', { params })
      return result.ok ? { ...result.answer, broadcast: result.answer } : refusalOf(result)
    }
  })

const change = (mailer: MailerSchemas) =>
  operation({
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
    body: mailer.body('mailer.broadcasts.changeDraft'),
    answer: changedSchema(mailer),
    errors: refusals.only(...CHANGE_FAULTS, ...DRAFT_FAULTS, 'not_draft'),
    async run({ params, body }, { host, actor }: Call<AgentHost>) {
      const { segmentDefinition } = body
      if (segmentDefinition !== undefined && !subscribedOnly(segmentDefinition))
        return refusals.refuse('segment_requires_subscribed')
      const input = { params, body }
      return changed(await host.operations.as(actor).call('mailer.broadcasts.changeDraft', input))
    }
  })

const count = (mailer: MailerSchemas) =>
  operation({
    id: 'agent.broadcasts.count',
    method: 'POST',
    path: `${SLUG}/count`,
    summary: 'Counts who would still be mailed, within the cap and without it',
    tool: 'count_broadcast',
    agent: true,
    access: access.read,
    effect: 'read',
    params: slugParams,
    body: Type.Object(
      {
        recipientCap: Type.Optional(
          mailer.bodyField('mailer.broadcasts.countRecipients', 'recipientCap')
        )
      },
      closed
    ),
    answer: Type.Object({
      recipientCount: integer,
      uncappedRecipientCount: integer,
      heldSends: integer
    }),
    errors: refusals.only('broadcast_not_found', 'invalid_segment'),
    async run(input, { host, actor }: Call<AgentHost>) {
      const mailer = host.operations.as(actor)
      const counted = await mailer.call('mailer.broadcasts.countRecipients', input)
      return counted.ok ? counted.answer : refusalOf(counted)
    }
  })

const schedule = (mailer: MailerSchemas) =>
  operation({
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
    answer: changedSchema(mailer),
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
      'too_many_waves',
      'changed_meanwhile'
    ),
    async run({ params, body }, call: Call<AgentHost>) {
      const { scheduledAt, expiresAt } = body
      if (!isDate(scheduledAt)) return invalid('scheduledAt', 'must be a date')
      if (expiresAt !== undefined && !isDate(expiresAt))
        return invalid('expiresAt', 'must be a date')
      const outside = await outsideRefusal(call, params.slug)
      if (outside !== undefined) return outside
      const mailer = call.host.operations.as(call.actor)
      return changed(await mailer.call('mailer.broadcasts.schedule', { params, body }))
    }
  })

const sendTests = (mailer: MailerSchemas) =>
  operation({
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
      broadcast: broadcastSchema(mailer),
      templateSlug: text,
      dispatched: flag,
      sends: Type.Array(sendSchema)
    }),
    errors: refusals.only(...TEST_CONTACT_FAULTS, 'broadcast_not_found'),
    async run({ params, body }, call: Call<AgentHost>) {
      const { host, actor, callKey, signal } = call
      // Every contact is checked before the first mail is queued.
      for (const contactId of body.contactIds) {
        const found = await testContactOf(call, contactId)
        if (!found.ok) return found
      }
      const result = await host.operations
        .as(actor)
        .call(
          'mailer.broadcasts.sendTest',
          { params, body },
          callKey === undefined ? {} : { callKey }
        )
      if (!result.ok) return refusalOf(result)
      const { broadcast, sends: queued } = result.answer
      const { mailWhen } = host.workbench.as(actor)
      const waiting = { timeoutMs: HAND_OVER_MS, signal }
      const mails = await Promise.all(
        queued.map(({ sendId }) => mailWhen(sendId, isHandedOver, waiting))
      )
      const sends = mails.filter((mail) => mail !== null)
      const dispatched =
        sends.length === mails.length && sends.every((mail) => isReached(mail, 'sent'))
      return { broadcast, templateSlug: broadcast.templateSlug, dispatched, sends }
    }
  })

/** Below `/broadcasts`. */
export const broadcastOperations = (mailer: MailerSchemas): readonly Operation<AgentHost>[] => [
  ...[list, create, read, change, count, schedule, sendTests].map((made) => made(mailer)),
  ...runningOperations(mailer)
]
