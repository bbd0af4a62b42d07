// What the operations of segments answer, written for their readers.
import { Type } from '@keelson/sdk'
import { EXCLUDED_REASONS, type ExcludedCounts } from '../audience/segments/page-of-segment.ts'
import { time } from './admin-operation.ts'

/** How many contacts a segment selects, and how many of them marketing mail may reach. */
export const segmentCountSchema = Type.Object(
  {
    matched: Type.Integer(),
    eligible: Type.Integer(),
    excluded: Type.Unsafe<ExcludedCounts>(
      Type.Object(Object.fromEntries(EXCLUDED_REASONS.map((reason) => [reason, Type.Integer()])), {
        description: '`matched` less `eligible`, by reason.'
      })
    )
  },
  { title: 'SegmentCount' }
)

/** A named segment. */
export const segmentSchema = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    segmentDefinition: Type.Unknown({ description: 'Its filters.' }),
    revision: Type.Integer({ description: 'For `If-Match` of the next change.' }),
    createdBy: Type.String(),
    createdAt: time,
    updatedAt: time
  },
  { title: 'Segment' }
)

/** A named segment in a list, with what uses it. */
export const segmentLineSchema = Type.Object(
  {
    ...segmentSchema.properties,
    usedBy: Type.Array(
      Type.Object(
        { kind: Type.Enum(['broadcast', 'flow']), slug: Type.String(), name: Type.String() },
        { title: 'SegmentUser' }
      ),
      { description: 'Broadcasts that are not over, and flows.' }
    )
  },
  { title: 'SegmentLine' }
)

/** The first contacts of a segment, as the host describes them. */
export const segmentPreviewSchema = Type.Object(
  {
    contacts: Type.Array(
      Type.Object(
        {
          externalId: Type.String(),
          email: Type.String(),
          tags: Type.Array(Type.String()),
          fields: Type.Record(Type.String(), Type.Unknown()),
          timezone: Type.Optional(Type.String()),
          locale: Type.Optional(Type.String())
        },
        { title: 'SegmentContact' }
      )
    )
  },
  { title: 'SegmentPreview' }
)
