// What tells one kind of versioned document from another, and how operations on them are refused.
import type { Collection } from 'mongodb'
import type { MailerContext } from '../context.ts'
import type { VersionedRow, VersionRow, VersionState } from './versioned-row.ts'

/** What tells one kind of versioned document from another. */
export interface Versioned<Row extends VersionedRow, Version extends VersionRow, Content> {
  /** In messages, as `template`. */
  readonly noun: string
  /** As the audit log names it. */
  readonly collection: string
  documents(context: MailerContext): Collection<Row>
  versions(context: MailerContext): Collection<Version>
  /** The field of a version that names its document. */
  readonly owner: keyof Version & string
  ownerOf(row: Row): string
  /** What is published. Asked once there is a version. */
  publishedOf(row: Row): Content
  /** What an editor works on: the draft, or what is published while there is none. */
  editedOf(row: Row): Content
  contentOf(version: Version): Content
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
