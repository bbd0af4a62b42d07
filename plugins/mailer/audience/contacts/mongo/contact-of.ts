// A document of the host as a contact. Pure.

import type { Document } from 'mongodb'
import type { MailContact } from '../../../contracts/mailer-core.ts'
import { normalAddress } from '../../../ledger/address.ts'
import type { MongoContactFields } from './mongo-options.ts'

/** The contact of a document, as the host's `toContact` makes it, or with every field of the document. */
export function contactOf(document: Document, fields: MongoContactFields): MailContact {
  if (fields.toContact !== undefined) return fields.toContact(document)
  const { emailField, idField, tagsField } = fields
  const { [idField]: _id, [emailField]: _email, ...more } = document
  if (tagsField !== undefined) delete more[tagsField]
  const { timezone, locale } = more
  return {
    externalId: String(valueAt(document, idField)),
    email: textOf(valueAt(document, emailField)),
    tags: tagsOf(document, fields),
    fields: more,
    ...(typeof timezone === 'string' && { timezone }),
    ...(typeof locale === 'string' && { locale })
  }
}

/** The value at a path as `profile.email`. */
export function valueAt(document: Document, path: string): unknown {
  let value: unknown = document
  for (const part of path.split('.')) value = (value as Document | null | undefined)?.[part]
  return value
}

const textOf = (value: unknown): string => (typeof value === 'string' ? normalAddress(value) : '')

function tagsOf(
  document: Document,
  { tagsField, tagsArrayShape }: MongoContactFields
): readonly string[] {
  const stored = tagsField === undefined ? [] : valueAt(document, tagsField)
  if (!Array.isArray(stored)) return []
  const names =
    tagsArrayShape === 'objects' ? stored.map((tag: Document | null) => tag?.['name']) : stored
  return names.filter((name): name is string => typeof name === 'string')
}
