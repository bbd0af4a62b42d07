// One entry of the log, and the document that a change stream makes of it.
import { Binary, Int32, type Timestamp } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import { decodeRaw, rawField } from '../bson/raw.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { CatalogChange, DocumentChange } from '../storage/scope.ts'

/** An entry as it is kept. */
export interface LoggedEvent {
  readonly kind: DocumentChange['kind'] | CatalogChange['kind']
  readonly time: Timestamp
  readonly wall: Date
  readonly db: string
  /** '' for an event of a database. */
  readonly collection: string
  readonly documentKey: Doc | undefined
  /** The inserted or replacing document. */
  readonly fullDocument: Doc | undefined
  readonly description: Doc | undefined
  /** The new name of a renamed collection. */
  readonly to: Doc | undefined
  /** Kept for collections with `changeStreamPreAndPostImages`. */
  readonly before: Doc | undefined
  readonly after: Doc | undefined
}

/** When a change took place. */
export interface Moment {
  readonly time: Timestamp
  readonly wall: Date
}

function idKey(bytes: Uint8Array): Doc {
  const raw = rawField(bytes, '_id')
  return new Map([['_id', raw === undefined ? null : decodeRaw(raw)]])
}

function keepsImages({ collection }: DocumentChange): boolean {
  const images = collection.options.get('changeStreamPreAndPostImages')
  return images instanceof Map && images.get('enabled') === true
}

function head(kind: LoggedEvent['kind'], { time, wall }: Moment): [string, Value][] {
  return [
    ['k', kind],
    ['t', time],
    ['w', wall]
  ]
}

/** The entry of a document's change. */
export function encodeChange(change: DocumentChange, moment: Moment): Uint8Array {
  const { kind, collection, before, after } = change
  const entry: Doc = new Map<string, Value>([
    ...head(kind, moment),
    ['d', collection.db],
    ['c', collection.name],
    ['i', idKey(after ?? before ?? new Uint8Array(5))]
  ])
  const isWhole = kind === 'insert' || kind === 'replace'
  if (isWhole && after !== undefined) entry.set('o', new Binary(after))
  if (kind === 'update' && change.description !== undefined) {
    const { updatedFields, removedFields, truncatedArrays } = change.description()
    const truncated = truncatedArrays.map(
      ({ field, newSize }): Doc =>
        new Map<string, Value>([
          ['field', field],
          ['newSize', new Int32(newSize)]
        ])
    )
    entry.set(
      'u',
      new Map<string, Value>([
        ['updatedFields', updatedFields],
        ['removedFields', [...removedFields]],
        ['truncatedArrays', truncated]
      ])
    )
  }
  if (keepsImages(change)) {
    if (before !== undefined) entry.set('b', new Binary(before))
    if (after !== undefined && !isWhole) entry.set('a', new Binary(after))
  }
  return encodeDoc(entry)
}

function namespaceDoc(db: string, collection: string): Doc {
  return new Map(
    collection === ''
      ? [['db', db]]
      : [
          ['db', db],
          ['coll', collection]
        ]
  )
}

/** The entry of a change to the catalog. */
export function encodeCatalogChange(change: CatalogChange, moment: Moment): Uint8Array {
  const entry: Doc = new Map<string, Value>([
    ...head(change.kind, moment),
    ['d', change.db],
    ['c', change.collection]
  ])
  if (change.to !== undefined) entry.set('n', namespaceDoc(change.to.db, change.to.collection))
  return encodeDoc(entry)
}

/** Reads an entry. */
export function decodeEvent(bytes: Uint8Array): LoggedEvent {
  const entry = decodeDoc(bytes)
  const image = (name: string) => {
    const stored = entry.get(name) as Binary | undefined
    return stored === undefined ? undefined : decodeDoc(stored.buffer)
  }
  return {
    kind: entry.get('k') as LoggedEvent['kind'],
    time: entry.get('t') as Timestamp,
    wall: entry.get('w') as Date,
    db: entry.get('d') as string,
    collection: entry.get('c') as string,
    documentKey: entry.get('i') as Doc | undefined,
    fullDocument: image('o'),
    description: entry.get('u') as Doc | undefined,
    to: entry.get('n') as Doc | undefined,
    before: image('b'),
    after: image('a')
  }
}

/** The beginning of every event that a client sees. */
export function eventHead(token: Doc, operationType: string, { time, wall }: Moment): Doc {
  return new Map<string, Value>([
    ['_id', token],
    ['operationType', operationType],
    ['clusterTime', time],
    ['wallTime', wall]
  ])
}

/** What a client sees, but for documents that are looked up. */
export function eventDoc(event: LoggedEvent, token: Doc): Doc {
  const doc = eventHead(token, event.kind, event)
  if (event.fullDocument !== undefined) doc.set('fullDocument', event.fullDocument)
  doc.set('ns', namespaceDoc(event.db, event.collection))
  if (event.to !== undefined) doc.set('to', event.to)
  if (event.documentKey !== undefined) doc.set('documentKey', event.documentKey)
  if (event.description !== undefined) doc.set('updateDescription', event.description)
  return doc
}
