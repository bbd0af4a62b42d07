// Segments in the admin API: how many contacts a definition selects, and the first of them.
import { Type } from '@keelson/sdk'
import { checkSegment } from '../audience/segments/check-segment.ts'
import {
  countSegment,
  pageOfSegment,
  type SegmentMember
} from '../audience/segments/page-of-segment.ts'
import { checkedInput } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { AdminRoute } from './admin-route.ts'

const PREVIEWED = 20
const MOST_PAGES = 20
const body = Type.Object({ segmentDefinition: Type.Object({}) }, { additionalProperties: false })

const route = (
  name: string,
  summary: string,
  read: (context: MailerContext, definition: object) => Promise<object>
): AdminRoute => ({
  method: 'POST',
  path: `/segments/${name}`,
  summary,
  handler: async (call) => {
    const { segmentDefinition } = checkedInput('segment', body, call.body)
    const checked = checkSegment(segmentDefinition)
    if (!checked.ok) return { ok: false, code: 'invalid_segment', message: checked.message }
    return { body: await read(call.context, segmentDefinition) }
  }
})

/** Of the first 20,000 contacts of the host; a definition may select none of the first thousand. */
async function firstMembers(context: MailerContext, definition: object) {
  const members: SegmentMember[] = []
  let page = await pageOfSegment(context, definition)
  members.push(...page.members)
  for (let pages = 1; pages < MOST_PAGES && members.length < PREVIEWED; pages++) {
    const { nextCursor: cursor } = page
    if (cursor === undefined) break
    page = await pageOfSegment(context, definition, { cursor })
    members.push(...page.members)
  }
  return members
}

/** Routes below `/segments`. */
export const segmentRoutes: readonly AdminRoute[] = [
  route('count', 'Counts who is selected, and whom marketing mail may reach', countSegment),
  route(
    'preview',
    'The first contacts whom marketing mail may reach',
    async (context, definition) => {
      const members = await firstMembers(context, definition)
      return { contacts: members.slice(0, PREVIEWED).map(({ contact }) => contact) }
    }
  )
]
