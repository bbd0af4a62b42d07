// Segments in the admin API: how many contacts a definition selects, and the first of them.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { checkSegment } from '../audience/segments/check-segment.ts'
import {
  countSegment,
  pageOfSegment,
  type SegmentMember
} from '../audience/segments/page-of-segment.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import { type AdminHost, access, MAIL_API } from './admin-operation.ts'
import { segmentCountSchema, segmentPreviewSchema } from './segment-answers.ts'

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

/** The operations of segments. */
export const segmentOperations: readonly Operation<AdminHost>[] = [count, preview]
