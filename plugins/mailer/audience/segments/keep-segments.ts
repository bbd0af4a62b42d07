// Names segments: makes, changes, lists and deletes them.
import { randomUUID } from 'node:crypto'
import {
  closed,
  type NewestPage,
  optional,
  type PageOfRows,
  readNewest,
  type Static,
  Type
} from '@keelson/sdk'
import { audit } from '../../ledger/audit/audit.ts'
import { inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SegmentRow } from '../../ledger/segment-row.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { checkSegment } from './check-segment.ts'
import { namesIn } from './named-segments.ts'
import { usersOfSegments } from './used-segments.ts'

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  segmentDefinition: Type.Object({}, { description: 'As `{ "filters": [] }`.' })
}
/** A new segment. */
export const newSegmentSchema = Type.Object({ slug: inputs.slug, ...fields }, closed)
/** What changes in a segment; what is left out stays. */
export const segmentChangeSchema = Type.Object(
  { name: optional(fields.name), segmentDefinition: optional(fields.segmentDefinition) },
  closed
)

interface Refused<Code extends string> {
  readonly ok: false
  readonly code: Code
}
type Invalid = Refused<'invalid_segment'> & { readonly message: string }
type Conflict = Refused<'draft_conflict'> & { readonly message: string }
type Used = Refused<'segment_in_use'> & { readonly message: string }
type Kept<R> = { readonly ok: true; readonly segment: SegmentRow } | R

/** Newest first, by their last change. */
export const listSegments = (
  { collections }: Pick<MailerContext, 'collections'>,
  page: NewestPage
): Promise<PageOfRows<SegmentRow>> =>
  readNewest(collections.segments, {}, { ...page, time: 'updatedAt', maxLimit: 200 })

/** Makes one. Its filters may not name segments in turn. */
export async function createSegment(
  context: MailerContext,
  input: Static<typeof newSegmentSchema>,
  by: Acting
): Promise<Kept<Refused<'slug_taken'> | Invalid>> {
  const message = faultOf(input.segmentDefinition)
  if (message !== undefined) return { ok: false, code: 'invalid_segment', message }
  const { segments } = context.collections
  const now = context.clock.now()
  const times = { createdAt: now, updatedAt: now }
  const segment = { _id: randomUUID(), ...input, revision: 0, createdBy: by.actor, ...times }
  return context.withTransaction(async (session) => {
    const { slug } = input
    const taken = await segments.findOne({ slug }, { session, projection: { _id: 1 } })
    if (taken !== null) return { ok: false, code: 'slug_taken' } as const
    await segments.insertOne(segment, { session })
    const resource = { collection: segments.collectionName, id: segment._id, slug }
    await audit(context, { ...by, action: 'segment.create', resource, after: input }, { session })
    return { ok: true, segment } as const
  })
}

/** Changes one: what uses it sees the change with its next page of contacts. */
export async function changeSegment(
  context: MailerContext,
  slug: string,
  change: Static<typeof segmentChangeSchema>,
  { ifRevision, ...by }: Acting & { readonly ifRevision?: number }
): Promise<Kept<Refused<'not_found'> | Invalid | Conflict>> {
  const { segmentDefinition } = change
  const message = segmentDefinition === undefined ? undefined : faultOf(segmentDefinition)
  if (message !== undefined) return { ok: false, code: 'invalid_segment', message }
  const { segments } = context.collections
  return context.withTransaction(async (session) => {
    const before = await segments.findOne({ slug }, { session })
    if (before === null) return { ok: false, code: 'not_found' } as const
    if (ifRevision !== undefined && ifRevision !== before.revision) {
      const message = `Another editor changed the segment ${slug} since you opened it. Read it again.`
      return { ok: false, code: 'draft_conflict', message } as const
    }
    const revision = before.revision + 1
    const segment = { ...before, ...change, revision, updatedAt: context.clock.now() }
    await segments.replaceOne({ _id: before._id }, segment, { session })
    const resource = { collection: segments.collectionName, id: before._id, slug }
    const { name, segmentDefinition: definition } = before
    const entry = { before: { name, segmentDefinition: definition }, after: change }
    await audit(context, { ...by, action: 'segment.update', resource, ...entry }, { session })
    return { ok: true, segment } as const
  })
}

/** Deletes one that nothing uses. */
export function deleteSegment(
  context: MailerContext,
  slug: string,
  by: Acting
): Promise<{ readonly ok: true } | Refused<'not_found'> | Used> {
  const { segments } = context.collections
  return context.withTransaction(async (session) => {
    const before = await segments.findOne({ slug }, { session })
    if (before === null) return { ok: false, code: 'not_found' } as const
    const [user] = (await usersOfSegments(context)).get(slug) ?? []
    if (user !== undefined) {
      const message = `The ${user.kind} ${user.slug} uses the segment.`
      return { ok: false, code: 'segment_in_use', message } as const
    }
    await segments.deleteOne({ _id: before._id }, { session })
    const resource = { collection: segments.collectionName, id: before._id, slug }
    await audit(context, { ...by, action: 'segment.delete', resource, before }, { session })
    return { ok: true } as const
  })
}

function faultOf(definition: unknown): string | undefined {
  const checked = checkSegment(definition)
  if (!checked.ok) return checked.message
  const [named] = namesIn(checked.definition.filters)
  return named === undefined ? undefined : `A segment cannot use another segment: ${named}.`
}
