// A document that is edited as a draft and published as versions: what its rows have in common.

/** A row with a draft and a version number. */
export interface VersionedRow {
  readonly _id: string
  /** Unique. */
  readonly slug: string
  /** Unpublished changes; null when there are none. */
  readonly draft: unknown
  /** 0 until it is published. */
  readonly version: number
  /** Counts every change; absent is 0. A change that was planned on another one is refused. */
  readonly revision?: number
  readonly publishedAt?: Date
  readonly publishedBy?: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A row of a published version. It never changes. */
export interface VersionRow {
  /** `<document>:<version>` */
  readonly _id: string
  readonly version: number
  readonly publishedAt: Date
  readonly publishedBy: string
}

/** The `_id` of a version. */
export const versionId = (document: string, version: number): string => `${document}:${version}`

/** A state of a document: a version, or its draft. */
export type VersionState = number | 'draft' | 'published'
