// Broadcasts in the admin API: from draft to results.
import { answered, type Call, type Operation, operation, type Static, Type } from '@keelson/sdk'
import { cancelBroadcast } from '../campaigns/broadcasts/cancel-broadcast.ts'
import type { Changed, Refusal } from '../campaigns/broadcasts/change-broadcast.ts'
import {
  broadcastCopySchema,
  broadcastDraftSchema,
  changeDraft,
  createBroadcast,
  deleteDraft,
  duplicateBroadcast,
  newBroadcastSchema,
  recipientCapSchema,
  resendBroadcast,
  stopRulesSchema
} from '../campaigns/broadcasts/draft-broadcast.ts'
import { sendNextWave } from '../campaigns/broadcasts/next-wave.ts'
import { pauseByHand } from '../campaigns/broadcasts/pause-broadcasts.ts'
import { listBroadcasts, readBroadcast } from '../campaigns/broadcasts/read-broadcasts.ts'
import { resumeBroadcast } from '../campaigns/broadcasts/resume-broadcast.ts'
import { retryBroadcast } from '../campaigns/broadcasts/retry-broadcast.ts'
import { type Schedule, scheduleBroadcast } from '../campaigns/broadcasts/schedule-broadcast.ts'
import { actingOf } from '../ledger/acting.ts'
import type { BroadcastRow } from '../ledger/broadcast-row.ts'
import { inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import { withNames } from '../ledger/names.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  confirmedCount,
  done,
  MAIL_API,
  missing,
  pageParameters,
  slugParams
} from './admin-operation.ts'
import {
  broadcastDetailSchema,
  broadcastLineSchema,
  broadcastSchema,
  cancelledSchema,
  leaveOutSchema,
  retriedSchema
} from './broadcast-answers.ts'
import { recipientOperations } from './broadcast-recipients.ts'

const base = MAIL_API
const SLUG = '/broadcasts/:slug'
const optional = Type.Optional
const CONTENT_FAULTS = [
  'template_not_found',
  'template_not_marketing',
  'order_unsupported',
  'variants_not_distinct',
  'invalid_segment',
  'invalid_texts'
] as const

const shown = (row: BroadcastRow) => ({ ...row, revision: row.revision ?? 0 })

/** A changed broadcast with its revision, or the refusal. */
function told<R extends Refusal>(result: Changed<R>) {
  if (!result.ok) return result
  return answered(shown(result.broadcast), { revision: result.revision })
}

const list = operation({
  id: 'mailer.broadcasts.list',
  method: 'GET',
  base,
  path: '/broadcasts',
  summary: 'Broadcasts, newest first',
  access: access.read,
  effect: 'read',
  query: Type.Object(pageParameters(200, 200)),
  answer: Type.Array(broadcastLineSchema),
  async run({ query }, { host: { context } }: Call<AdminHost>) {
    const { rows, nextCursor } = await listBroadcasts(context, query)
    return answered(await withNames(context, rows), { nextCursor })
  }
})

const create = operation({
  id: 'mailer.broadcasts.create',
  method: 'POST',
  base,
  path: '/broadcasts',
  summary: 'Makes a draft',
  access: access.change,
  effect: 'change',
  body: newBroadcastSchema,
  status: 201,
  answer: broadcastSchema,
  errors: refusals.only('slug_taken', ...CONTENT_FAULTS),
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const made = await createBroadcast(host.context, body, actingOf(actor))
    return made.ok ? shown(made.broadcast) : made
  }
})

const duplicate = operation({
  id: 'mailer.broadcasts.duplicate',
  method: 'POST',
  base,
  path: `${SLUG}/duplicate`,
  summary: 'Makes a draft with the content of a broadcast',
  access: access.change,
  effect: 'change',
  params: slugParams,
  body: broadcastCopySchema,
  status: 201,
  answer: broadcastSchema,
  errors: refusals.only('bad_id', 'not_found', 'slug_taken', ...CONTENT_FAULTS),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const made = await duplicateBroadcast(host.context, slug, body, actingOf(actor))
    return made.ok ? shown(made.broadcast) : made
  }
})

const resend = operation({
  id: 'mailer.broadcasts.resend',
  method: 'POST',
  base,
  path: `${SLUG}/resend`,
  summary: 'Makes a draft for people who got the mail of a broadcast and did not open it',
  access: access.change,
  effect: 'change',
  params: slugParams,
  body: broadcastCopySchema,
  status: 201,
  answer: broadcastSchema,
  errors: refusals.only('bad_id', 'not_found', 'not_started', 'slug_taken', ...CONTENT_FAULTS),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const made = await resendBroadcast(host.context, slug, body, actingOf(actor))
    return made.ok ? shown(made.broadcast) : made
  }
})

const read = operation({
  id: 'mailer.broadcasts.read',
  method: 'GET',
  base,
  path: SLUG,
  summary: 'A broadcast with its progress',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: broadcastDetailSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host: { context } }: Call<AdminHost>) {
    const detail = await readBroadcast(context, slug)
    if (detail === null) return missing('broadcast')
    const broadcast = shown(detail.broadcast)
    const { variants: arms, ...figures } = detail.results
    const [{ names } = {}] = await withNames(context, [broadcast])
    const results = { ...figures, ...(arms && { variants: await withNames(context, arms) }) }
    return answered(
      { ...broadcast, ...detail, results, ...(names && { names }) },
      { revision: broadcast.revision }
    )
  }
})

const draft = operation({
  id: 'mailer.broadcasts.changeDraft',
  method: 'PATCH',
  base,
  path: SLUG,
  summary: 'Changes a draft',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  params: slugParams,
  body: broadcastDraftSchema,
  answer: broadcastSchema,
  errors: refusals.only('bad_id', 'not_found', 'not_draft', 'draft_conflict', ...CONTENT_FAULTS),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    return told(await changeDraft(host.context, slug, body, by))
  }
})

const remove = operation({
  id: 'mailer.broadcasts.delete',
  method: 'DELETE',
  base,
  path: SLUG,
  summary: 'Deletes a draft',
  access: access.sendBroadcasts,
  effect: 'change',
  hints: { destructive: true },
  params: slugParams,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'not_draft'),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const deleted = await deleteDraft(host.context, slug, actingOf(actor))
    return deleted.ok ? { ok: true as const } : deleted
  }
})

const time = (description: string) => Type.String({ maxLength: 64, description })
const scheduleSchema = Type.Object(
  {
    scheduledAt: optional(time('ISO 8601. A time that has passed starts it at once.')),
    expiresAt: optional(
      Type.Union([time('It fails when it could not start by then.'), Type.Null()])
    ),
    confirmedCount: optional(Type.Integer({ description: 'The recipient count that was shown.' }))
  },
  closed
)

/** Missing and invalid times have words of their own. */
function scheduleOf(body: Static<typeof scheduleSchema>): Schedule {
  const { scheduledAt, expiresAt, confirmedCount } = body
  const timeOf = (text: string | null | undefined) => (text == null ? undefined : new Date(text))
  return defined({
    scheduledAt: timeOf(scheduledAt),
    expiresAt: timeOf(expiresAt),
    confirmedCount
  })
}

const schedule = operation({
  id: 'mailer.broadcasts.schedule',
  method: 'POST',
  base,
  path: `${SLUG}/schedule`,
  summary: 'Schedules a draft; `scheduledAt` and `confirmedCount` are required',
  access: access.sendBroadcasts,
  effect: 'release',
  params: slugParams,
  body: scheduleSchema,
  answer: broadcastSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'scheduledAt_required',
    'bad_scheduledAt',
    'bad_expiresAt',
    'confirmedCount_required',
    'count_mismatch',
    'not_draft',
    'template_not_published',
    'too_many_waves',
    'changed_meanwhile',
    'draft_conflict'
  ),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    return told(await scheduleBroadcast(host.context, slug, scheduleOf(body), by))
  }
})

const pause = operation({
  id: 'mailer.broadcasts.pause',
  method: 'POST',
  base,
  path: `${SLUG}/pause`,
  summary: 'Pauses a broadcast, for a reason',
  access: access.sendBroadcasts,
  effect: 'stop',
  params: slugParams,
  body: Type.Object({ reason: optional(inputs.reason) }, closed),
  answer: broadcastSchema,
  errors: refusals.only('bad_id', 'not_found', 'not_pausable', 'draft_conflict'),
  run: async ({ params: { slug }, body }, { host, actor }: Call<AdminHost>) =>
    told(await pauseByHand(host.context, slug, actingOf(actor), body.reason))
})

const resume = operation({
  id: 'mailer.broadcasts.resume',
  method: 'POST',
  base,
  path: `${SLUG}/resume`,
  summary: 'Resumes a broadcast, or lets the next wave out',
  access: access.sendBroadcasts,
  effect: 'release',
  params: slugParams,
  body: Type.Object(
    {
      confirmedCount: optional(
        Type.Integer({ description: 'Recipients within the cap and held mails, together.' })
      ),
      recipientCap: optional(recipientCapSchema),
      stopRules: optional(stopRulesSchema),
      leaveOut: optional(leaveOutSchema)
    },
    closed
  ),
  answer: broadcastSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'not_paused',
    'confirmedCount_required',
    'count_mismatch',
    'cap_not_raised',
    'stop_rule_still_breached',
    'changed_meanwhile',
    'draft_conflict'
  ),
  run: async ({ params: { slug }, body }, { host, actor }: Call<AdminHost>) =>
    told(await resumeBroadcast(host.context, slug, body, actingOf(actor)))
})

const nextWave = operation({
  id: 'mailer.broadcasts.nextWave',
  method: 'POST',
  base,
  path: `${SLUG}/next-wave`,
  summary: 'Lets the next wave of a broadcast out before its time',
  access: access.sendBroadcasts,
  effect: 'release',
  params: slugParams,
  body: Type.Object({}, closed),
  answer: broadcastSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'no_wave_waits',
    'stop_rule_still_breached',
    'draft_conflict'
  ),
  run: async ({ params: { slug } }, { host, actor }: Call<AdminHost>) =>
    told(await sendNextWave(host.context, slug, actingOf(actor)))
})

const cancel = operation({
  id: 'mailer.broadcasts.cancel',
  method: 'POST',
  base,
  path: `${SLUG}/cancel`,
  summary: 'Cancels a broadcast and its waiting mails',
  access: access.sendBroadcasts,
  effect: 'stop',
  hints: { destructive: true },
  params: slugParams,
  answer: cancelledSchema,
  errors: refusals.only('bad_id', 'not_found', 'already_finished', 'draft_conflict'),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const result = await cancelBroadcast(host.context, slug, actingOf(actor))
    if (!result.ok) return result
    return { ...shown(result.broadcast), cancelledSends: result.cancelledSends }
  }
})

const retry = operation({
  id: 'mailer.broadcasts.retry',
  method: 'POST',
  base,
  path: `${SLUG}/retry`,
  summary: 'Sends the failed mails of a broadcast again; no recipient gets two',
  access: access.sendBroadcasts,
  effect: 'send',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object({ confirmedCount: confirmedCount('`retryable` of the broadcast.') }, closed),
  answer: retriedSchema,
  errors: refusals.only('bad_id', 'not_found', 'not_retryable', 'count_mismatch', 'draft_conflict'),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const result = await retryBroadcast(host.context, slug, body, actingOf(actor))
    if (!result.ok) return result
    return { ...shown(result.broadcast), retriedSends: result.retriedSends }
  }
})

/** The operations of broadcasts. */
export const broadcastOperations: readonly Operation<AdminHost>[] = [
  list,
  create,
  duplicate,
  resend,
  read,
  draft,
  remove,
  ...recipientOperations,
  schedule,
  pause,
  resume,
  nextWave,
  retry,
  cancel
]
