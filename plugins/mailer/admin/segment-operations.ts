// Segments in the admin API: how many contacts a definition selects, the first of them, and names.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { checkSegment } from '../audience/segments/check-segment.ts'
import {
  changeSegment,
  createSegment,
  deleteSegment,
  listSegments,
  newSegmentSchema,
  segmentChangeSchema
} from '../audience/segments/keep-segments.ts'
import {
  countSegment,
  pageOfSegment,
  type SegmentMember
} from '../audience/segments/page-of-segment.ts'
import { usersOfSegments } from '../audience/segments/used-segments.ts'
import { actingOf } from '../ledger/acting.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  done,
  MAIL_API,
  pageParameters,
  slugParams
} from './admin-operation.ts'
import {
  segmentCountSchema,
  segmentLineSchema,
  segmentPreviewSchema,
  segmentSchema
} from './segment-answers.ts'

const PREVIEWED = 20
const MOST_PAGES = 20

const shared = {
  method: 'POST',
  base: MAIL_API,
  access: access.read,
  effect: 'read',
  body: Type.Object(
    { segmentDefinition: Type.Object({}, { description: 'As `{ "filters": [] }`.' }) },
    { additionalProperties: false }
  ),
  errors: refusals.only('invalid_segment')
} as const

const count = operation({
  ...shared,
  id: 'mailer.segments.count',
  path: '/segments/count',
  summary: 'Counts who is selected, and whom marketing mail may reach',
  hints: { long: true },
  answer: segmentCountSchema,
  run: ({ body: { segmentDefinition } }, { host }: Call<AdminHost>) =>
    refusalOf(segmentDefinition) ?? countSegment(host.context, segmentDefinition)
})

const preview = operation({
  ...shared,
  id: 'mailer.segments.preview',
  path: '/segments/preview',
  summary: 'The first contacts whom marketing mail may reach',
  answer: segmentPreviewSchema,
  async run({ body: { segmentDefinition } }, { host }: Call<AdminHost>) {
    const refusal = refusalOf(segmentDefinition)
    if (refusal !== undefined) return refusal
    const members = await firstMembers(host.context, segmentDefinition)
    return { contacts: members.slice(0, PREVIEWED).map(({ contact }) => contact) }
  }
})

function refusalOf(definition: object) {
  const checked = checkSegment(definition)
  return checked.ok ? undefined : refusals.refuse('invalid_segment', { message: checked.message })
}

/** Of the first 20,000 contacts of the host; a definition may select none of the first thousand. */
async function firstMembers(context: MailerContext, definition: object) {
  const members: SegmentMember[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES && members.length < PREVIEWED; pages++) {
    const page = await pageOfSegment(context, definition, defined({ cursor }))
    members.push(...page.members)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return members
}

const base = MAIL_API
const SLUG = '/segments/:slug'

const list = operation({
  id: 'mailer.segments.list',
  method: 'GET',
  base,
  path: '/segments',
  summary: 'Named segments, those that were changed last first',
  access: access.read,
  effect: 'read',
  query: Type.Object(pageParameters(200, 200)),
  answer: Type.Array(segmentLineSchema),
  async run({ query }, { host }: Call<AdminHost>) {
    const [{ rows, nextCursor }, users] = await Promise.all([
      listSegments(host.context, query),
      usersOfSegments(host.context)
    ])
    const lines = rows.map((row) => ({ ...row, usedBy: users.get(row.slug) ?? [] }))
    return answered(lines, { nextCursor })
  }
})

const create = operation({
  id: 'mailer.segments.create',
  method: 'POST',
  base,
  path: '/segments',
  summary: 'Names a segment, for broadcasts and flows to use',
  access: access.change,
  effect: 'change',
  body: newSegmentSchema,
  status: 201,
  answer: segmentSchema,
  errors: refusals.only('slug_taken', 'invalid_segment'),
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const made = await createSegment(host.context, body, actingOf(actor))
    return made.ok ? made.segment : made
  }
})

const change = operation({
  id: 'mailer.segments.change',
  method: 'PATCH',
  base,
  path: SLUG,
  summary: 'Changes a named segment; what uses it follows',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  params: slugParams,
  body: segmentChangeSchema,
  answer: segmentSchema,
  errors: refusals.only('bad_id', 'not_found', 'invalid_segment', 'draft_conflict'),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    const changed = await changeSegment(host.context, slug, body, by)
    if (!changed.ok) return changed
    return answered(changed.segment, { revision: changed.segment.revision })
  }
})

const remove = operation({
  id: 'mailer.segments.delete',
  method: 'DELETE',
  base,
  path: SLUG,
  summary: 'Deletes a named segment that nothing uses',
  access: access.change,
  effect: 'change',
  hints: { destructive: true },
  params: slugParams,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'segment_in_use'),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const deleted = await deleteSegment(host.context, slug, actingOf(actor))
    return deleted.ok ? { ok: true as const } : deleted
  }
})

/** The operations of segments. */
export const segmentOperations: readonly Operation<AdminHost>[] = [
  count,
  preview,
  list,
  create,
  change,
  remove
]
