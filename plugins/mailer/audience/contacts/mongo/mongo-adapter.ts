// A contact adapter over a collection of MongoDB.

import type { Collection, Document, Sort } from 'mongodb'
import type { MailContact } from '../../../contracts/mailer-core.ts'
import type { ContactAdapter, ContactPage, ContactSort } from '../../../ledger/adapter.ts'
import { addressForms } from '../../../ledger/address.ts'
import { contactOf, valueAt } from './contact-of.ts'
import type { MongoContactFields, MongoContactOptions } from './mongo-options.ts'
import { rangesAfter, readCursor, writeCursor } from './page-ranges.ts'
import { searchPage, searchStages } from './search-contacts.ts'
import { idForms, translateFilter } from './translate-filter.ts'

const MAX_LIMIT = 10_000
const IGNORES_CASE = { locale: 'en', strength: 2 } as const

/**
 * Contacts of a collection. Pages follow the id, or a field and then the id, so that contacts that come and go
 * between pages disturb no other. A filter that is not supported throws.
 */
export function createMongoContactAdapter(options: MongoContactOptions): ContactAdapter {
  const fields: MongoContactFields = {
    ...options,
    emailField: options.emailField ?? 'email',
    idField: options.idField ?? '_id',
    tagsArrayShape: options.tagsArrayShape ?? 'strings',
    tagsWritable: options.tagsWritable ?? false,
    batchSize: options.batchSize ?? 1000
  }
  const { emailField, idField } = fields
  const collection = options.db.collection(options.collection)
  const contact = (document: Document | null) => document && contactOf(document, fields)
  return {
    supportsSort: true,
    getById: async (externalId) =>
      contact(await collection.findOne({ [idField]: { $in: idForms(externalId) } })),
    async getByEmail(email) {
      const filter = { [emailField]: { $in: [...addressForms(email)] } }
      const found = await collection.findOne(filter)
      if (found !== null || options.emailsInLowerCase === true) return contact(found)
      return contact(await collection.findOne(filter, { collation: IGNORES_CASE }))
    },
    getByEmails: (emails) => readByEmails(collection, fields, emails),
    getBatch: (externalIds) => readBatch(collection, fields, externalIds),
    query: (filter, query = {}) =>
      readPage(collection, fields, translateFilter(filter, fields), query),
    count: (filter) => collection.countDocuments(translateFilter(filter, fields)),
    ...searching(collection, fields),
    ...tagWriters(collection, fields)
  }
}

function searching(
  collection: Collection,
  fields: MongoContactFields
): Pick<ContactAdapter, 'search'> {
  const { searchFields = [] } = fields
  if (searchFields.length === 0) return {}
  return {
    search: (text, { limit = 100, cursor } = {}) =>
      searchPage(
        searchStages(text, searchFields),
        { limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT), cursor },
        (filter, query) => readPage(collection, fields, filter, query)
      )
  }
}

async function readBatch(
  collection: Collection,
  fields: MongoContactFields,
  externalIds: readonly string[]
): Promise<ReadonlyMap<string, MailContact>> {
  const found = new Map<string, MailContact>()
  for (let at = 0; at < externalIds.length; at += fields.batchSize) {
    const forms = externalIds.slice(at, at + fields.batchSize).flatMap(idForms)
    const documents = await collection
      .find({ [fields.idField]: { $in: forms } }, { batchSize: fields.batchSize + 1 })
      .toArray()
    for (const document of documents) {
      const contact = contactOf(document, fields)
      found.set(contact.externalId, contact)
    }
  }
  return found
}

/** Each read by the index on the address, or by that which ignores its case. */
async function readByEmails(
  collection: Collection,
  fields: MongoContactFields,
  emails: readonly string[]
): Promise<readonly MailContact[]> {
  const read = async (wanted: readonly string[], options = {}) => {
    if (wanted.length === 0) return []
    const filter = { [fields.emailField]: { $in: wanted.flatMap(addressForms) } }
    const documents = await collection.find(filter, options).limit(MAX_LIMIT).toArray()
    return documents.map((document) => contactOf(document, fields))
  }
  const found = await read(emails)
  if (fields.emailsInLowerCase === true) return found
  // A contact that is stored otherwise may share the address of one that was found.
  const others = await read(emails, { collation: IGNORES_CASE })
  return [...new Map([...found, ...others].map((one) => [one.externalId, one])).values()]
}

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: ContactSort
}

async function readPage(
  collection: Collection,
  fields: MongoContactFields,
  filter: Document,
  { limit = 100, cursor, sort }: PageQuery
): Promise<ContactPage> {
  const { idField } = fields
  const wanted = Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT)
  const order: Sort = {
    ...(sort !== undefined && { [sort.field]: sort.direction }),
    [idField]: 'asc'
  }
  const ranges = cursor === undefined ? [{}] : rangesAfter(readCursor(cursor), idField, sort)
  const documents: Document[] = []
  for (const range of ranges) {
    // One more than wanted shows whether there is another page.
    const missing = wanted + 1 - documents.length
    if (missing === 0) break
    const found = collection
      .find({ $and: [filter, range] }, { batchSize: missing })
      .sort(order)
      .limit(missing)
    documents.push(...(await found.toArray()))
  }
  const page = documents.slice(0, wanted)
  const contacts = page.map((document) => contactOf(document, fields))
  const last = page.at(-1)
  if (documents.length <= wanted || last === undefined) return { contacts }
  const value = sort === undefined ? null : (valueAt(last, sort.field) ?? null)
  return { contacts, nextCursor: writeCursor([value, valueAt(last, idField)]) }
}

function tagWriters(
  collection: Collection,
  { idField, tagsField, tagsArrayShape, tagsWritable }: MongoContactFields
): Pick<ContactAdapter, 'addTags' | 'removeTags'> {
  if (!tagsWritable || tagsField === undefined) return {}
  const one = (externalId: string) => ({ [idField]: { $in: idForms(externalId) } })
  const isObjects = tagsArrayShape === 'objects'
  return {
    async addTags(externalId, tags) {
      const operations = tags.map((name) => {
        const lacksIt = { ...one(externalId), [`${tagsField}.name`]: { $ne: name } }
        return isObjects
          ? { updateOne: { filter: lacksIt, update: { $push: { [tagsField]: { name } } } } }
          : { updateOne: { filter: one(externalId), update: { $addToSet: { [tagsField]: name } } } }
      })
      if (operations.length > 0) await collection.bulkWrite(operations as never)
    },
    async removeTags(externalId, tags) {
      const pulled = isObjects ? { name: { $in: tags } } : { $in: tags }
      await collection.updateOne(one(externalId), { $pull: { [tagsField]: pulled } } as never)
    }
  }
}
