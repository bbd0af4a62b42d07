// Programs as versioned documents: the definition is drafted and published.

import type { Versioned } from '@keelson/sdk/versions'
import { type By, type ProgramContext, recordChange } from '../program-context.ts'
import type { ProgramDefinition } from '../storage/definition.ts'
import type { ProgramRow, ProgramVersionRow } from '../storage/program-rows.ts'

/** A draft may be of any form; what is published is a definition. */
export const versionedProgram: Versioned<
  ProgramRow,
  ProgramVersionRow,
  unknown,
  ProgramContext,
  By
> = {
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
