// What tells one kind of versioned document from another, and how operations on them are refused.
import type { ClientSession, Collection } from 'mongodb'
import type { Clock } from '../clock.ts'
import type { VersionedRow, VersionRow, VersionState } from './versioned-row.ts'

/** What a store of versioned documents works with. `MailerContext` of the mailer is one. */
export interface VersionSeams {
  readonly clock: Clock
  /** Majority, journaled; retried on conflict. */
  withTransaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
}

/** What a change is, for an audit log. */
export interface ChangeEntry {
  /** As `flow.publish`. */
  readonly action: string
  readonly resource: { readonly collection: string; readonly id: string; readonly slug: string }
  readonly before?: unknown
  readonly after?: unknown
  readonly diffSummary?: string
}

/** Writes the audit entry of a change, in the transaction of the change. `by` is who acts, as the caller names them. */
export type RecordChange<Seams, By> = (
  seams: Seams,
  entry: ChangeEntry,
  by: By,
  session: ClientSession
) => Promise<void>

/** What tells one kind of versioned document from another. */
export interface Versioned<
  Row extends VersionedRow,
  Version extends VersionRow,
  Content,
  Seams extends VersionSeams,
  By extends object
> {
  /** In messages, as `template`. */
  readonly noun: string
  /** As the audit log names it. */
  readonly collection: string
  documents(seams: Seams): Collection<Row>
  versions(seams: Seams): Collection<Version>
  /** The field of a version that names its document. */
  readonly owner: keyof Version & string
  ownerOf(row: Row): string
  /** What is published. Asked once there is a version. */
  publishedOf(row: Row): Content
  /** What an editor works on: the draft, or what is published while there is none. */
  editedOf(row: Row): Content
  contentOf(version: Version): Content
  readonly record: RecordChange<Seams, By>
}

/** Why an operation was refused. Nothing was changed. */
export interface VersionRefusal<Code extends string> {
  readonly ok: false
  readonly code: Code
  /** One sentence for people. */
  readonly message: string
}

/** Makes a refusal. */
export const refuse = <Code extends string>(code: Code, message: string): VersionRefusal<Code> => ({
  ok: false,
  code,
  message
})

/** The refusal of a slug that is unknown. */
export const unknown = (noun: string, slug: string): VersionRefusal<'not_found'> =>
  refuse('not_found', `There is no ${noun} ${slug}.`)

/** The refusal of a version that is unknown. */
export const unknownVersion = (
  noun: string,
  slug: string,
  version: VersionState
): VersionRefusal<'version_not_found'> =>
  refuse('version_not_found', `The ${noun} ${slug} has no version ${version}.`)
