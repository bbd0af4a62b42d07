// A named segment as stored.

/** A row of `mailer_segments`; `slug` is unique. */
export interface SegmentRow {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly segmentDefinition: unknown
  /** Counts the changes. */
  readonly revision: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
