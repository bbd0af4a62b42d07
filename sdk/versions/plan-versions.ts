// What a save and a publish make of a versioned document, and when they are refused. Pure.
import { isDeepStrictEqual } from 'node:util'
import { type VersionedRow, versionId } from './versioned-row.ts'

/** What a caller takes for granted of the row that it changes. */
export interface Expected {
  /** The revision that an editor read. */
  readonly ifRevision?: number
  /** The revision that this operation read, before it asked others. */
  readonly since?: number
}

/** `draft_conflict`: changed since an editor read it; `conflict`: while the operation was under way. */
export type Clash = 'conflict' | 'draft_conflict'

/** Undefined when the row is as it was expected. */
export function clashOf(
  { revision = 0 }: Pick<VersionedRow, 'revision'>,
  { ifRevision = revision, since = revision }: Expected
): Clash | undefined {
  if (ifRevision !== revision) return 'draft_conflict'
  return since === revision ? undefined : 'conflict'
}

/** The draft to store: none when it is what is published. */
export function storedDraft<Draft extends object>(
  { version }: Pick<VersionedRow, 'version'>,
  published: unknown,
  draft: Draft
): Draft | null {
  return isUnchanged({ version }, published, draft) ? null : draft
}

/** Whether a publish of this content would change nothing. Nothing is published before the first version. */
export function isUnchanged(
  { version }: Pick<VersionedRow, 'version'>,
  published: unknown,
  content: unknown
): boolean {
  return version > 0 && isDeepStrictEqual(published, content)
}

/** What a publish writes to the document, and to its new version. */
export interface Publication {
  readonly version: number
  readonly publishedAt: Date
  readonly publishedBy: string
}

/** The next version of a document. */
export function nextVersion(
  { version }: Pick<VersionedRow, 'version'>,
  { now, by }: { readonly now: Date; readonly by: string }
): Publication {
  return { version: version + 1, publishedAt: now, publishedBy: by }
}

/** The id of that version. */
export const publicationId = (document: string, { version }: Publication): string =>
  versionId(document, version)
