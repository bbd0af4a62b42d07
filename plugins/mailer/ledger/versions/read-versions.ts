// Reads versioned documents: one, its versions, a state of it, and what differs between two states.
import type { Document, Filter } from 'mongodb'
import { changesBetween, type FieldChange } from '../changes-between.ts'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'
import { unknown, unknownVersion, type Versioned, type VersionRefusal } from './versioned.ts'
import {
  type VersionedRow,
  type VersionRow,
  type VersionState,
  versionId
} from './versioned-row.ts'

const MOST_VERSIONS = 100

/** Null when the slug is unknown. */
export function readDocument<Row extends VersionedRow>(
  context: MailerContext,
  kind: Pick<Versioned<Row, never, never>, 'documents'>,
  slug: string
): Promise<Row | null> {
  return kind.documents(context).findOne({ slug } as Filter<Row>) as Promise<Row | null>
}

/** Versions, newest first; `before` goes on after a page. At most 100. */
export function listVersionsOf<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  owner: string,
  { before, projection }: { readonly before?: number; readonly projection?: Document } = {}
): Promise<readonly V[]> {
  const filter = { [kind.owner]: owner, ...(before !== undefined && { version: { $lt: before } }) }
  const rows = kind.versions(context).find(filter as Filter<V>, defined({ projection }))
  return rows.sort({ version: -1 }).limit(MOST_VERSIONS).toArray() as unknown as Promise<V[]>
}

/** One version, as it was published; null when it is unknown. */
export function readVersionOf<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  owner: string,
  version: number
): Promise<V | null> {
  const filter = { _id: versionId(owner, version) } as Filter<V>
  return kind.versions(context).findOne(filter) as Promise<V | null>
}

/** The content of a state: null before anything was published, undefined for an unknown version. */
export async function contentAt<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  row: Row,
  state: VersionState
): Promise<C | null | undefined> {
  if (state === 'draft') return kind.editedOf(row)
  if (state === 'published') return row.version === 0 ? null : kind.publishedOf(row)
  const version = await readVersionOf(context, kind, kind.ownerOf(row), state)
  return version === null ? undefined : kind.contentOf(version)
}

/** What comparing came to. */
export type Comparison =
  | { readonly ok: true; readonly changes: readonly FieldChange[] }
  | VersionRefusal<'not_found' | 'version_not_found'>

/** What differs between two states. `fieldsOf` says what is compared of two contents. */
export async function compareStates<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  slug: string,
  [from, to]: readonly [VersionState, VersionState],
  fieldsOf: (content: C, other: C | null) => object
): Promise<Comparison> {
  const row = await readDocument(context, kind, slug)
  if (row === null) return unknown(kind.noun, slug)
  const [before, after] = await Promise.all([
    contentAt(context, kind, row, from),
    contentAt(context, kind, row, to)
  ])
  if (before === undefined) return unknownVersion(kind.noun, slug, from)
  if (after === undefined) return unknownVersion(kind.noun, slug, to)
  const of = (content: C | null, other: C | null) =>
    content === null ? {} : fieldsOf(content, other)
  return { ok: true, changes: changesBetween(of(before, after), of(after, before)) }
}
