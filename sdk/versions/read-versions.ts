// Reads versioned documents: one, its versions, and a state of it.
import type { Document, Filter } from 'mongodb'
import type { Versioned, VersionSeams } from './versioned.ts'
import {
  type VersionedRow,
  type VersionRow,
  type VersionState,
  versionId
} from './versioned-row.ts'

const MOST_VERSIONS = 100

/** Null when the slug is unknown. */
export function readDocument<Row extends VersionedRow, Seams extends VersionSeams>(
  seams: Seams,
  kind: Pick<Versioned<Row, never, never, Seams, never>, 'documents'>,
  slug: string
): Promise<Row | null> {
  return kind.documents(seams).findOne({ slug } as Filter<Row>) as Promise<Row | null>
}

/** Versions, newest first; `before` goes on after a page. At most 100. */
export function listVersionsOf<
  Row extends VersionedRow,
  V extends VersionRow,
  C,
  Seams extends VersionSeams,
  By extends object
>(
  seams: Seams,
  kind: Versioned<Row, V, C, Seams, By>,
  owner: string,
  { before, projection }: { readonly before?: number; readonly projection?: Document } = {}
): Promise<readonly V[]> {
  const filter = { [kind.owner]: owner, ...(before !== undefined && { version: { $lt: before } }) }
  const rows = kind.versions(seams).find(filter as Filter<V>, { ...(projection && { projection }) })
  return rows.sort({ version: -1 }).limit(MOST_VERSIONS).toArray() as unknown as Promise<V[]>
}

/** One version, as it was published; null when it is unknown. */
export function readVersionOf<
  Row extends VersionedRow,
  V extends VersionRow,
  C,
  Seams extends VersionSeams,
  By extends object
>(
  seams: Seams,
  kind: Versioned<Row, V, C, Seams, By>,
  owner: string,
  version: number
): Promise<V | null> {
  const filter = { _id: versionId(owner, version) } as Filter<V>
  return kind.versions(seams).findOne(filter) as Promise<V | null>
}

/** The content of a state: null before anything was published, undefined for an unknown version. */
export async function contentAt<
  Row extends VersionedRow,
  V extends VersionRow,
  C,
  Seams extends VersionSeams,
  By extends object
>(
  seams: Seams,
  kind: Versioned<Row, V, C, Seams, By>,
  row: Row,
  state: VersionState
): Promise<C | null | undefined> {
  if (state === 'draft') return kind.editedOf(row)
  if (state === 'published') return row.version === 0 ? null : kind.publishedOf(row)
  const version = await readVersionOf(seams, kind, kind.ownerOf(row), state)
  return version === null ? undefined : kind.contentOf(version)
}
