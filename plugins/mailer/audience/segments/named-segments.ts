// Puts the filters of named segments in the place of their names.
import { errors } from '../../errors.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SegmentDefinition, SegmentFilter } from './segment-schema.ts'

/** Slugs of the named segments that filters mean. Pure. */
export function namesIn(filters: readonly SegmentFilter[]): readonly string[] {
  return filters.flatMap((filter): readonly string[] => {
    switch (filter.kind) {
      case 'segment':
        return [filter.slug]
      case 'any':
      case 'all':
        return namesIn(filter.filters)
      case 'not':
        return namesIn([filter.filter])
      default:
        return []
    }
  })
}

/** A definition without names, as the segments are now. @throws MLR_SEGMENT_INVALID for an unknown name */
export async function expandSegments(
  { collections }: Pick<MailerContext, 'collections'>,
  { filters }: SegmentDefinition
): Promise<SegmentDefinition> {
  const slugs = [...new Set(namesIn(filters))]
  if (slugs.length === 0) return { filters }
  const rows = await collections.segments.find({ slug: { $in: slugs } }).toArray()
  const named = new Map(
    rows.map(({ slug, segmentDefinition }) => [slug, segmentDefinition as SegmentDefinition])
  )
  const missing = slugs.find((slug) => !named.has(slug))
  if (missing !== undefined)
    throw errors.MLR_SEGMENT_INVALID({ problem: `The segment ${missing} was not found.` })
  return { filters: filters.map((filter) => expanded(filter, named)) }
}

/** Named segments hold no names themselves, so this ends. */
function expanded(
  filter: SegmentFilter,
  named: ReadonlyMap<string, SegmentDefinition>
): SegmentFilter {
  switch (filter.kind) {
    case 'segment':
      return { kind: 'all', filters: named.get(filter.slug)?.filters ?? [] }
    case 'any':
    case 'all':
      return { ...filter, filters: filter.filters.map((one) => expanded(one, named)) }
    case 'not':
      return { ...filter, filter: expanded(filter.filter, named) }
    default:
      return filter
  }
}
