// Broadcasts in the admin API: from draft to results.
import { cancelBroadcast } from '../broadcasts/cancel-broadcast.ts'
import { countBroadcast } from '../broadcasts/count-recipients.ts'
import { changeDraft, createBroadcast } from '../broadcasts/draft-broadcast.ts'
import { pauseByHand } from '../broadcasts/pause-broadcasts.ts'
import { listBroadcasts, readBroadcast } from '../broadcasts/read-broadcasts.ts'
import { resumeBroadcast } from '../broadcasts/resume-broadcast.ts'
import { type Schedule, scheduleBroadcast } from '../broadcasts/schedule-broadcast.ts'
import { type AdminRoute, answered, dateOf, fieldsOf, notFound } from './admin-route.ts'

const slugOf = ({ slug = '' }: Readonly<Record<string, string>>) => slug

function scheduleOf(body: unknown): Schedule {
  const { scheduledAt, expiresAt, confirmedCount } = fieldsOf(body)
  const times = { scheduledAt: dateOf(scheduledAt), expiresAt: dateOf(expiresAt), confirmedCount }
  const given = Object.entries(times).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** Routes below `/broadcasts`. */
export const broadcastRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/broadcasts',
    summary: 'Broadcasts, newest first',
    handler: async ({ context }) => ({ body: await listBroadcasts(context) })
  },
  {
    method: 'POST',
    path: '/broadcasts',
    summary: 'Makes a draft',
    handler: async ({ context, body, acting }) =>
      answered(await createBroadcast(context, body as never, acting), (made) => made.broadcast, 201)
  },
  {
    method: 'GET',
    path: '/broadcasts/:slug',
    summary: 'A broadcast with its progress',
    handler: async ({ context, params }) => {
      const detail = await readBroadcast(context, slugOf(params))
      if (detail === null) return notFound('The broadcast')
      const { broadcast, ...progress } = detail
      return { body: { ...broadcast, ...progress } }
    }
  },
  {
    method: 'PATCH',
    path: '/broadcasts/:slug',
    summary: 'Changes a draft',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await changeDraft(context, slugOf(params), body as never, acting),
        (changed) => changed.broadcast
      )
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/segment/count',
    summary: 'Counts who would be mailed',
    handler: async ({ context, params, body }) => {
      const from = performance.now()
      const counted = await countBroadcast(context, slugOf(params), fieldsOf(body))
      const computedMs = Math.round(performance.now() - from)
      return answered(counted, ({ ok: _ok, ...counts }) => {
        const eligible = counts.uncappedRecipientCount + counts.alreadySent
        return { ...counts, eligible, computedMs }
      })
    }
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/schedule',
    summary: 'Schedules a draft',
    permission: 'canSendBroadcasts',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await scheduleBroadcast(context, slugOf(params), scheduleOf(body), acting),
        (changed) => changed.broadcast
      )
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/pause',
    summary: 'Pauses a broadcast',
    permission: 'canSendBroadcasts',
    handler: async ({ context, params, acting }) =>
      answered(await pauseByHand(context, slugOf(params), acting), (changed) => changed.broadcast)
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/resume',
    summary: 'Resumes a broadcast, or lets the next wave out',
    permission: 'canSendBroadcasts',
    handler: async ({ context, params, body, acting }) =>
      answered(
        await resumeBroadcast(context, slugOf(params), fieldsOf(body), acting),
        (changed) => changed.broadcast
      )
  },
  {
    method: 'POST',
    path: '/broadcasts/:slug/cancel',
    summary: 'Cancels a broadcast and its waiting mails',
    permission: 'canSendBroadcasts',
    handler: async ({ context, params, acting }) =>
      answered(
        await cancelBroadcast(context, slugOf(params), acting),
        ({ broadcast, cancelledSends }) => ({ ...broadcast, cancelledSends })
      )
  }
]
