// What the operations of segments answer, written for their readers.
import { Type } from '@keelson/sdk'

/** How many contacts a segment selects, and how many of them marketing mail may reach. */
export const segmentCountSchema = Type.Object(
  { matched: Type.Integer(), eligible: Type.Integer() },
  { title: 'SegmentCount' }
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
