// What uses named segments: broadcasts that are not over, and flows, published or as a draft.
import type { MailerContext } from '../../ledger/context.ts'
import { namesIn } from './named-segments.ts'
import type { SegmentFilter } from './segment-schema.ts'

/** A broadcast or a flow that names a segment. */
export interface SegmentUser {
  readonly kind: 'broadcast' | 'flow'
  readonly slug: string
  readonly name: string
}

const MOST = 1000

/** The users of each segment that has some, by its slug: broadcasts first. Looks at 1,000 of each. */
export async function usersOfSegments({
  collections
}: Pick<MailerContext, 'collections'>): Promise<ReadonlyMap<string, readonly SegmentUser[]>> {
  const [broadcasts, flows] = await Promise.all([
    collections.broadcasts
      .find(
        { status: { $in: ['draft', 'scheduled', 'sending', 'paused'] } },
        { projection: { slug: 1, name: 1, segmentDefinition: 1 } }
      )
      .limit(MOST)
      .toArray(),
    collections.flows
      .find({}, { projection: { slug: 1, name: 1, trigger: 1, 'draft.trigger': 1 } })
      .limit(MOST)
      .toArray()
  ])
  const uses = [
    ...broadcasts.map(({ slug, name, segmentDefinition }) => ({
      user: { kind: 'broadcast', slug, name } as const,
      segments: named(segmentDefinition)
    })),
    ...flows.map(({ slug, name, trigger, draft }) => ({
      user: { kind: 'flow', slug, name } as const,
      segments: [...namedBy(trigger), ...namedBy(draft?.trigger)]
    }))
  ]
  const users = new Map<string, SegmentUser[]>()
  for (const { user, segments } of uses)
    for (const slug of new Set(segments)) users.set(slug, [...(users.get(slug) ?? []), user])
  return users
}

const namedBy = (trigger: unknown): readonly string[] =>
  named((trigger as { readonly segmentDefinition?: unknown } | undefined)?.segmentDefinition)

const named = (definition: unknown): readonly string[] => {
  const { filters = [] } = (definition ?? {}) as { readonly filters?: readonly SegmentFilter[] }
  return namesIn(filters)
}
