// Broadcasts in the admin API: from draft to results.
import { Type } from '@keelson/sdk'
import { cancelBroadcast } from '../campaigns/broadcasts/cancel-broadcast.ts'
import type { Changed } from '../campaigns/broadcasts/change-broadcast.ts'
import { mailCountsSchema } from '../campaigns/broadcasts/count-mails.ts'
import { countBroadcast } from '../campaigns/broadcasts/count-recipients.ts'
import {
  changeDraft,
  createBroadcast,
  deleteDraft,
  duplicateBroadcast
} from '../campaigns/broadcasts/draft-broadcast.ts'
import { pauseByHand } from '../campaigns/broadcasts/pause-broadcasts.ts'
import {
  listBroadcasts,
  listRecipients,
  readBroadcast,
  readResults
} from '../campaigns/broadcasts/read-broadcasts.ts'
import { resumeBroadcast } from '../campaigns/broadcasts/resume-broadcast.ts'
import { type Schedule, scheduleBroadcast } from '../campaigns/broadcasts/schedule-broadcast.ts'
import { inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import type { SendStatus } from '../ledger/send-status.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  answered,
  bodyOf,
  dateOf,
  editOf,
  fieldsOf,
  notFound,
  pageOf,
  slugOf
} from './admin-route.ts'

const pauseBody = Type.Object(
  { reason: Type.Optional(inputs.reason) },
  { additionalProperties: false }
)
const results = Type.Object({
  total: mailCountsSchema,
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        templateSlug: Type.String(),
        isWinner: Type.Boolean(),
        ...mailCountsSchema.properties
      })
    )
  )
})

function scheduleOf(body: unknown): Schedule {
  const { scheduledAt, expiresAt, confirmedCount } = fieldsOf(body)
  const times = { scheduledAt: dateOf(scheduledAt), expiresAt: dateOf(expiresAt), confirmedCount }
  return defined(times) as Schedule
}

async function count({ context, params, body }: AdminCall): Promise<AdminAnswer | AdminRefusal> {
  const from = performance.now()
  const counted = await countBroadcast(context, slugOf({ params }), fieldsOf(body))
  const computedMs = Math.round(performance.now() - from)
  return answered(counted, ({ ok: _ok, ...counts }) => {
    const eligible = counts.uncappedRecipientCount + counts.alreadySent
    return { ...counts, eligible, computedMs }
  })
}

async function recipients(call: AdminCall): Promise<AdminAnswer | AdminRefusal> {
  const { context, query } = call
  const broadcast = await context.collections.broadcasts.findOne({ slug: slugOf(call) })
  if (broadcast === null) return notFound('The broadcast')
  const { limit, cursor: after } = pageOf(query)
  const status = query['status'] as SendStatus | undefined
  const page = await listRecipients(context, broadcast._id, defined({ status, after, limit }))
  return { body: page.recipients, nextCursor: page.nextCursor }
}

type Change = Pick<AdminRoute, 'path' | 'summary'> & { readonly method?: 'PATCH' }

/** A route that changes a broadcast and answers it. */
const change = (
  { path, ...route }: Change,
  operation: (call: AdminCall) => Promise<Changed>
): AdminRoute => ({
  method: 'POST',
  path: `/broadcasts/:slug${path}`,
  ...(route.method === undefined && { permission: 'canSendBroadcasts' }),
  ...route,
  handler: async (call) => answered(await operation(call), ({ broadcast }) => broadcast)
})

const editing = (call: AdminCall) => ({ ...call.acting, ...editOf(call) })

/** Routes below `/broadcasts`. */
export const broadcastRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/broadcasts',
    summary: 'Broadcasts, newest first',
    handler: async ({ context, query }) => {
      const { rows, nextCursor } = await listBroadcasts(context, pageOf(query))
      return { body: rows, nextCursor }
    }
  },
  {
    method: 'POST',
    path: '/broadcasts',
    summary: 'Makes a draft',
    handler: async ({ context, body, acting }) =>
      answered(await createBroadcast(context, body as never, acting), (made) => made.broadcast, 201)
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/duplicate',
    summary: 'Makes a draft with the content of a broadcast',
    handler: async (call) =>
      answered(
        await duplicateBroadcast(call.context, slugOf(call), call.body, call.acting),
        (made) => made.broadcast,
        201
      )
  },
  {
    method: 'GET',
    path: '/broadcasts/:slug',
    summary: 'A broadcast with its progress',
    handler: async (call) => {
      const detail = await readBroadcast(call.context, slugOf(call))
      if (detail === null) return notFound('The broadcast')
      const { broadcast, ...progress } = detail
      return { body: { ...broadcast, ...progress }, revision: broadcast.revision ?? 0 }
    }
  },
  {
    method: 'DELETE',
    path: '/broadcasts/:slug',
    summary: 'Deletes a draft',
    permission: 'canSendBroadcasts',
    handler: async (call) =>
      answered(await deleteDraft(call.context, slugOf(call), call.acting), () => ({ ok: true }))
  },
  {
    method: 'GET',
    path: '/broadcasts/:slug/results',
    summary: 'How far its mails came, in all and by variant',
    response: results,
    handler: async (call) => {
      const body = await readResults(call.context, slugOf(call))
      return body === null ? notFound('The broadcast') : { body }
    }
  },
  {
    method: 'GET',
    path: '/broadcasts/:slug/recipients',
    summary: 'What became of each recipient; by `status`',
    handler: recipients
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/segment/count',
    summary: 'Counts who would be mailed',
    handler: count
  },
  change({ path: '', summary: 'Changes a draft', method: 'PATCH' }, (call) =>
    changeDraft(call.context, slugOf(call), call.body as never, editing(call))
  ),
  change({ path: '/schedule', summary: 'Schedules a draft' }, (call) =>
    scheduleBroadcast(call.context, slugOf(call), scheduleOf(call.body), editing(call))
  ),
  change({ path: '/pause', summary: 'Pauses a broadcast, for a reason' }, (call) =>
    pauseByHand(call.context, slugOf(call), call.acting, bodyOf(call, pauseBody).reason)
  ),
  change({ path: '/resume', summary: 'Resumes a broadcast, or lets the next wave out' }, (call) =>
    resumeBroadcast(call.context, slugOf(call), fieldsOf(call.body), call.acting)
  ),
  {
    method: 'POST',
    path: '/broadcasts/:slug/cancel',
    summary: 'Cancels a broadcast and its waiting mails',
    permission: 'canSendBroadcasts',
    handler: async (call) =>
      answered(
        await cancelBroadcast(call.context, slugOf(call), call.acting),
        ({ broadcast, cancelledSends }) => ({ ...broadcast, cancelledSends })
      )
  }
]
