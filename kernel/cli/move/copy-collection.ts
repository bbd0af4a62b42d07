// Makes a collection of another database equal to ours: what differs is written, what is too much is removed.
import { createHash } from 'node:crypto'
import {
  type AnyBulkWriteOperation,
  BSON,
  type Collection,
  type Document,
  type FindOptions
} from 'mongodb'

/** The two sides of a copy, and what is called as it goes on. */
export interface CopiedCollection {
  readonly from: Collection
  readonly to: Collection
  readonly signal: AbortSignal
  /** Documents read of the source so far. */
  onProgress(documents: number): void
}

/** What a collection holds: the count and the SHA-256 of its documents, in the order of `_id`. */
export interface Digest {
  readonly documents: number
  readonly sha256: string
}

const BATCH = 1000
const BATCH_BYTES = 8 * 1024 * 1024
/** Values keep their BSON types: 1 of an Int32 and 1 of a Double differ. */
const EXACT = {
  promoteValues: false,
  promoteBuffers: false,
  promoteLongs: false,
  bsonRegExp: true
} as const satisfies FindOptions
const ALL = { ...EXACT, sort: { _id: 1 }, batchSize: BATCH } as const satisfies FindOptions

/** Copies what is not equal. Safe to repeat: a copy that was interrupted goes on where it ended. */
export async function copyCollection({ from, to, signal, onProgress }: CopiedCollection) {
  let written = 0
  let documents = 0
  for await (const batch of batchesOf(from, signal)) {
    const there = await serializedById(to, batch)
    const changed = batch.filter((document) => !isThere(document, there))
    if (changed.length > 0) await write(to, changed, there)
    written += changed.length
    documents += batch.length
    onProgress(documents)
  }
  const removed = await removeForeign(from, to, signal)
  return { documents, written, removed }
}

/** Reads a whole collection. */
export async function digestOf(collection: Collection, signal: AbortSignal): Promise<Digest> {
  const hash = createHash('sha256')
  let documents = 0
  for await (const batch of batchesOf(collection, signal)) {
    for (const document of batch) hash.update(BSON.serialize(document))
    documents += batch.length
  }
  return { documents, sha256: hash.digest('hex') }
}

async function* batchesOf(
  collection: Collection,
  signal: AbortSignal
): AsyncGenerator<readonly Document[]> {
  let batch: Document[] = []
  let bytes = 0
  for await (const document of collection.find({}, ALL)) {
    signal.throwIfAborted()
    batch.push(document)
    bytes += BSON.calculateObjectSize(document)
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Ids of any BSON type as keys of a map. */
const keyOf = ({ _id }: Document): string => Buffer.from(BSON.serialize({ _id })).toString('base64')

const idsOf = (batch: readonly Document[]) => batch.map(({ _id }) => _id)

async function serializedById(
  collection: Collection,
  batch: readonly Document[]
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await collection
    .find({ _id: { $in: idsOf(batch) } }, { ...EXACT, batchSize: BATCH + 1 })
    .toArray()
  return new Map(rows.map((row) => [keyOf(row), BSON.serialize(row)]))
}

function isThere(document: Document, there: ReadonlyMap<string, Uint8Array>): boolean {
  const stored = there.get(keyOf(document))
  return stored !== undefined && Buffer.compare(stored, BSON.serialize(document)) === 0
}

async function write(
  collection: Collection,
  documents: readonly Document[],
  there: ReadonlyMap<string, Uint8Array>
): Promise<void> {
  const operations = documents.map((document): AnyBulkWriteOperation => {
    const filter = { _id: document['_id'] }
    if (there.has(keyOf(document))) return { replaceOne: { filter, replacement: document } }
    return { insertOne: { document } }
  })
  // What was valid when it was written may not fit the validator of today.
  await collection.bulkWrite(operations, { ordered: false, bypassDocumentValidation: true })
}

/** What the source has no more, because it was deleted since an earlier copy. */
async function removeForeign(
  from: Collection,
  to: Collection,
  signal: AbortSignal
): Promise<number> {
  let removed = 0
  for await (const batch of batchesOf(to, signal)) {
    const known = new Set((await serializedById(from, batch)).keys())
    const foreign = batch.filter((document) => !known.has(keyOf(document)))
    if (foreign.length === 0) continue
    const { deletedCount } = await to.deleteMany({ _id: { $in: idsOf(foreign) } })
    removed += deletedCount
  }
  return removed
}
