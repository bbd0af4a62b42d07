// Programs as versioned documents: the definition is drafted and published.

import type { ProgramDefinition } from '../../ledger/definition.ts'
import { type MailVersioned, recordChange } from '../../ledger/mail-versioned.ts'
import type { ProgramRow, ProgramVersionRow } from '../../ledger/program-rows.ts'

/** A draft may be of any form; what is published is a definition. */
export const versionedProgram: MailVersioned<ProgramRow, ProgramVersionRow, unknown> = {
  noun: 'program',
  collection: 'mailer_programs',
  documents: ({ collections }) => collections.programs,
  versions: ({ collections }) => collections.programVersions,
  owner: 'programId',
  ownerOf: ({ _id }) => _id,
  publishedOf: ({ definition }) => definition,
  editedOf: ({ draft, definition }) => draft ?? definition,
  contentOf: ({ definition }: { readonly definition: ProgramDefinition }) => definition,
  record: recordChange
}
