// A filter of contacts as a query of MongoDB. What cannot be said as a query is an error, never left out. Pure.
import { type Document, ObjectId } from 'mongodb'
import { errors } from '../../../errors.ts'
import type { ContactFilter } from '../../../ledger/adapter.ts'
import { addressForms } from '../../../ledger/address.ts'
import type { MongoContactFields } from './mongo-options.ts'

/**
 * The query of a filter; an empty filter selects everyone.
 *
 * @throws MLR_FILTER_UNSUPPORTED
 */
export function translateFilter(filter: ContactFilter, fields: MongoContactFields): Document {
  const own = fields.translateFilter?.(filter)
  if (own !== undefined) return own
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const translate =
        Object.hasOwn(TRANSLATIONS, name) && TRANSLATIONS[name as keyof ContactFilter]
      if (!translate) throw unsupported(name, 'it is unknown')
      return translate(value as never, fields)
    })
  return parts.length === 0 ? {} : { $and: parts }
}

/** Every form in which a collection may store an id. */
export function idForms(externalId: string): readonly unknown[] {
  const forms: unknown[] = [externalId]
  if (/^[0-9a-f]{24}$/.test(externalId)) forms.push(new ObjectId(externalId))
  if (/^(0|-?[1-9]\d{0,14})$/.test(externalId)) forms.push(Number(externalId))
  return forms
}

type Translations = {
  readonly [K in keyof Required<ContactFilter>]: (
    value: NonNullable<ContactFilter[K]>,
    fields: MongoContactFields
  ) => Document
}

const TRANSLATIONS: Translations = {
  emailIn: (emails, { emailField }) => ({
    $expr: {
      $in: [
        {
          $cond: [
            { $eq: [{ $type: `$${emailField}` }, 'string'] },
            { $toLower: { $trim: { input: `$${emailField}` } } },
            null
          ]
        },
        { $literal: emails.flatMap(addressForms) }
      ]
    }
  }),
  externalIdIn: (ids, { idField }) => ({ [idField]: { $in: ids.flatMap(idForms) } }),
  fieldEquals: ({ field, value }) => ({
    [pathOf('fieldEquals', field)]: { $eq: plain('fieldEquals', value), $exists: true }
  }),
  fieldIn: ({ field, values }) => ({
    [pathOf('fieldIn', field)]: {
      $in: values.map((value) => plain('fieldIn', value)),
      $exists: true
    }
  }),
  fieldExists: (field) => ({ [pathOf('fieldExists', field)]: { $exists: true } }),
  hasTag: (tag, fields) => ({ [tagPath('hasTag', fields)]: { $eq: plain('hasTag', tag) } }),
  hasTagIn: (tags, fields) => ({
    [tagPath('hasTagIn', fields)]: { $in: tags.map((tag) => plain('hasTagIn', tag)) }
  }),
  createdAfter: (time, fields) => ({ [createdPath('createdAfter', fields)]: { $gt: time } }),
  createdBefore: (time, fields) => ({ [createdPath('createdBefore', fields)]: { $lt: time } })
}

/** Whether a value is compared as it is, rather than read as an operator. */
export const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  value instanceof Date ||
  value instanceof ObjectId

function plain(filter: string, value: unknown): unknown {
  if (isPlain(value)) return value
  throw unsupported(filter, 'values must be texts, numbers, true, false, null, dates or ObjectIds')
}

function pathOf(filter: string, field: unknown): string {
  if (typeof field === 'string' && /^[^$\0][^\0]*$/.test(field) && !field.includes('.$'))
    return field
  throw unsupported(filter, 'the field must be a path that does not begin with $')
}

function tagPath(filter: string, { tagsField, tagsArrayShape }: MongoContactFields): string {
  if (tagsField === undefined) throw unsupported(filter, 'tagsField is not configured')
  return tagsArrayShape === 'objects' ? `${tagsField}.name` : tagsField
}

function createdPath(filter: string, { createdAtField }: MongoContactFields): string {
  if (createdAtField === undefined) throw unsupported(filter, 'createdAtField is not configured')
  return createdAtField
}

const unsupported = (filter: string, problem: string): Error =>
  errors.MLR_FILTER_UNSUPPORTED({ filter, problem })
