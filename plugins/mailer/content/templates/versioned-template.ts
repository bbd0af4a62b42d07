// Templates as versioned documents: what is drafted, published and compared.
import { type MailVersioned, recordChange } from '../../ledger/mail-versioned.ts'
import type { TemplateFields, TemplateRow, TemplateVersionRow } from '../../ledger/template-rows.ts'
import { editedFields, fieldsOf } from './plan-draft.ts'

/** All publishable fields; a version has them compiled, too. */
export const versionedTemplate: MailVersioned<TemplateRow, TemplateVersionRow, TemplateFields> = {
  noun: 'template',
  collection: 'mailer_templates',
  documents: ({ collections }) => collections.templates,
  versions: ({ collections }) => collections.templateVersions,
  owner: 'slug',
  ownerOf: ({ slug }) => slug,
  publishedOf: fieldsOf,
  editedOf: (row) => fieldsOf(editedFields(row)),
  contentOf: fieldsOf,
  record: recordChange
}
