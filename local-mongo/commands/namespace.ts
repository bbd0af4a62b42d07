// Names of databases and collections: which are allowed, and how a command names them.
import type { Doc } from '../bson/value.ts'
import { typeName } from '../bson/value.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'

const MAX_DB_LENGTH = 63
const MAX_NAMESPACE_LENGTH = 255
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with NUL is what is refused
const BAD_IN_DB = /[/\\. "$*<>:|?\u0000]/

/** Refuses a database name that MongoDB refuses. */
export function checkDatabaseName(db: string): void {
  if (db === '' || Buffer.byteLength(db) > MAX_DB_LENGTH || BAD_IN_DB.test(db)) {
    throw commandError('InvalidNamespace', `Invalid database name specified '${db}'`)
  }
}

/** Refuses a collection name that MongoDB refuses. */
export function checkNamespace({ db, collection }: Namespace): void {
  const isBad =
    collection === '' ||
    collection.startsWith('.') ||
    collection.includes('\0') ||
    Buffer.byteLength(db) + Buffer.byteLength(collection) + 1 > MAX_NAMESPACE_LENGTH
  if (isBad) {
    throw commandError('InvalidNamespace', `Invalid namespace specified '${db}.${collection}'`)
  }
}

/** The collection that a command names in its first field. */
export function namespaceOf({
  name,
  db,
  body
}: {
  readonly name: string
  readonly db: string
  readonly body: Doc
}): Namespace {
  const collection = body.get(name)
  if (typeof collection !== 'string') {
    throw commandError(
      'InvalidNamespace',
      `collection name has invalid type ${typeName(collection)}`
    )
  }
  const namespace = { db, collection }
  checkNamespace(namespace)
  return namespace
}

/** Splits `db.collection`. */
export function parseNamespace(text: string, field: string): Namespace {
  const dot = text.indexOf('.')
  if (dot < 1) {
    throw commandError('InvalidNamespace', `Invalid namespace specified '${text}' in '${field}'`)
  }
  const namespace = { db: text.slice(0, dot), collection: text.slice(dot + 1) }
  checkDatabaseName(namespace.db)
  checkNamespace(namespace)
  return namespace
}

/** `db.collection`, as replies name it. */
export function spell({ db, collection }: Namespace): string {
  return `${db}.${collection}`
}
