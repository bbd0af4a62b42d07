// One entry of the log, and the document that a change stream makes of it.
import { createHash } from 'node:crypto'
import { Binary, Int32, Long, type Timestamp } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import { decodeRaw, rawField } from '../bson/raw.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { TransactionId } from '../engine.ts'
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
  /** Paths that hold a number, with what each piece of them names; of updates. */
  readonly disambiguated: Doc | undefined
  /** `lsid` and `txnNumber` of a multi-document transaction. */
  readonly transaction: Doc | undefined
  /** Of the collection; entries of earlier versions have none. */
  readonly uuid: Binary | undefined
  /** What a change of the catalog did. */
  readonly operation: Doc | undefined
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
export function encodeChange(
  change: DocumentChange,
  moment: Moment,
  transaction?: TransactionId
): Uint8Array {
  const { kind, collection, before, after } = change
  const entry: Doc = new Map<string, Value>([
    ...head(kind, moment),
    ['d', collection.db],
    ['c', collection.name],
    ['i', idKey(after ?? before ?? new Uint8Array(5))],
    ['y', new Binary(collection.uuid, Binary.SUBTYPE_UUID)]
  ])
  if (transaction !== undefined) entry.set('s', transactionDoc(transaction))
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
    const paths = [
      ...updatedFields.keys(),
      ...removedFields,
      ...truncatedArrays.map(({ field }) => field)
    ]
    const disambiguated = disambiguate(paths, before)
    if (disambiguated.size > 0) entry.set('p', disambiguated)
  }
  if (keepsImages(change)) {
    if (before !== undefined) entry.set('b', new Binary(before))
    if (after !== undefined && !isWhole) entry.set('a', new Binary(after))
  }
  return encodeDoc(entry)
}

/** What a client without a user is known by in its session's id. */
const NO_USER = createHash('sha256').digest()

function transactionDoc({ sessionId, txnNumber }: TransactionId): Doc {
  const lsid: Doc = new Map([
    ['id', new Binary(Buffer.from(sessionId, 'hex'), Binary.SUBTYPE_UUID)],
    ['uid', new Binary(NO_USER)]
  ])
  return new Map<string, Value>([
    ['lsid', lsid],
    ['txnNumber', Long.fromBigInt(txnNumber)]
  ])
}

const NUMBER = /^\d+$/
const HAS_NUMBER = /(^|\.)\d+(\.|$)/

/** For each path with a number in it: its pieces, where places in arrays are numbers and names are texts. */
function disambiguate(paths: readonly string[], bytes: Uint8Array | undefined): Doc {
  const ambiguous = paths.filter((path) => HAS_NUMBER.test(path))
  const result: Doc = new Map()
  if (ambiguous.length === 0 || bytes === undefined) return result
  const before = decodeDoc(bytes)
  for (const path of ambiguous) {
    let value: Value = before
    result.set(
      path,
      path.split('.').map((piece) => {
        const isPlace = Array.isArray(value) && NUMBER.test(piece)
        if (isPlace) value = (value as Value[])[Number(piece)]
        else value = value instanceof Map ? value.get(piece) : undefined
        return isPlace ? new Int32(Number(piece)) : piece
      })
    )
  }
  return result
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
  if (change.uuid !== undefined) entry.set('y', new Binary(change.uuid, Binary.SUBTYPE_UUID))
  if (change.operation !== undefined) entry.set('z', change.operation)
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
    disambiguated: entry.get('p') as Doc | undefined,
    transaction: entry.get('s') as Doc | undefined,
    uuid: entry.get('y') as Binary | undefined,
    operation: entry.get('z') as Doc | undefined,
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

/** A rename names its target here too. */
function operationOf({ operation, to }: LoggedEvent): Doc | undefined {
  return to === undefined ? operation : new Map([['to', to]])
}

/** What a client sees, but for documents that are looked up; `isExpanded` for `showExpandedEvents`. */
export function eventDoc(event: LoggedEvent, token: Doc, isExpanded: boolean): Doc {
  const doc = eventHead(token, event.kind, event)
  if (isExpanded && event.uuid !== undefined) doc.set('collectionUUID', event.uuid)
  for (const [name, value] of event.transaction ?? []) doc.set(name, value)
  if (event.fullDocument !== undefined) doc.set('fullDocument', event.fullDocument)
  doc.set('ns', namespaceDoc(event.db, event.collection))
  if (event.to !== undefined) doc.set('to', event.to)
  if (event.documentKey !== undefined) doc.set('documentKey', event.documentKey)
  if (event.description !== undefined) {
    const extra: Doc = new Map([['disambiguatedPaths', event.disambiguated ?? new Map()]])
    const parts = isExpanded ? [...event.description, ...extra] : event.description
    doc.set('updateDescription', new Map(parts))
  }
  const operation = operationOf(event)
  if (isExpanded && operation !== undefined) doc.set('operationDescription', operation)
  return doc
}
