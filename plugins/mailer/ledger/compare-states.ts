// What differs between two states of a versioned document.
import {
  contentAt,
  readDocument,
  unknown,
  unknownVersion,
  type VersionedRow,
  type VersionRefusal,
  type VersionRow,
  type VersionState
} from '@keelson/sdk/versions'
import { changesBetween, type FieldChange } from './changes-between.ts'
import type { MailerContext } from './context.ts'
import type { MailVersioned } from './mail-versioned.ts'

/** What comparing came to. */
export type Comparison =
  | { readonly ok: true; readonly changes: readonly FieldChange[] }
  | VersionRefusal<'not_found' | 'version_not_found'>

/** What differs between two states. `fieldsOf` says what is compared of two contents. */
export async function compareStates<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: MailVersioned<Row, V, C>,
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
