// $out and $merge: the results of a pipeline into a collection.
import { randomUUID } from 'node:crypto'
import { ObjectId } from 'bson'
import type { MergeSink, PipelineSink } from '../aggregate/pipeline.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { Namespace, OperationContext } from '../engine.ts'
import { commandError, commandErrorByNumber } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import { idKeyOf, insertDocument, replaceDocument } from '../storage/documents.ts'
import { duplicateKey } from '../storage/duplicate-key.ts'
import type { Index } from '../storage/index-definition.ts'
import type { Scope } from '../storage/scope.ts'
import { showValue } from '../storage/show-value.ts'
import { parseUpdate, type Update } from '../update/update.ts'
import { dropCollection, renameCollection, singleTurn } from './collections.ts'
import { createIndexesAtOnce } from './create-indexes.ts'
import { addCollection, checkNamespace, ensureCollection } from './namespaces.ts'
import { checkSize, prepareNewDocument, withId } from './new-document.ts'
import { type EngineParts, waitsOf } from './parts.ts'
import { openQuery } from './query.ts'
import { type Statements, statementsJob } from './statements.ts'
import type { Found } from './walk.ts'

const CHUNK = 200
/** What the name of a collection begins with that `$out` has not filled yet. */
const TEMPORARY = 'tmp.agg_out.'

/** Whether a collection is one that `$out` was filling. */
export function isTemporary({ name }: Pick<Collection, 'name'>): boolean {
  return name.startsWith(TEMPORARY)
}

async function inChunks(
  results: AsyncIterable<Doc>,
  write: (chunk: readonly Doc[]) => Promise<void>
): Promise<void> {
  let chunk: Doc[] = []
  for await (const doc of results) {
    chunk.push(doc)
    if (chunk.length < CHUNK) continue
    await write(chunk)
    chunk = []
  }
  if (chunk.length > 0) await write(chunk)
}

/** Writes each result once, however many turns that takes. Fails with the first result's error. */
async function writeEach(
  { queue }: EngineParts,
  chunk: readonly Doc[],
  write: (scope: Scope, result: Doc) => void,
  { now, signal, deadlineMs }: OperationContext
): Promise<void> {
  const statements: Statements = {
    count: chunk.length,
    ordered: true,
    run(scope, index) {
      write(scope, chunk[index] as Doc)
      return { done: { n: 1, nModified: 0 } }
    }
  }
  const { writeErrors } = await queue.run(
    statementsJob(statements, {
      now,
      signal,
      ...(deadlineMs !== undefined && { deadlineMs })
    })
  )
  const [first] = writeErrors
  if (first === undefined) return
  const { keyPattern, keyValue } = first
  const extra: Doc = new Map()
  if (keyPattern !== undefined) extra.set('keyPattern', keyPattern)
  if (keyValue !== undefined) extra.set('keyValue', keyValue)
  throw commandErrorByNumber(first.code, first.errmsg, { extra })
}

function insertNew(scope: Scope, ns: Namespace, doc: Doc): void {
  const bytes = prepareNewDocument(encodeDoc(withId(doc)))
  const collection = ensureCollection(scope, ns)
  insertDocument(scope, collection, idKeyOf(collection, decodeDoc(bytes).get('_id')), bytes)
}

/** Fills a new collection with the options and indexes of the target, then puts it in its place. */
async function writeOut(
  parts: EngineParts,
  target: Namespace,
  results: AsyncIterable<Doc>,
  context: OperationContext
): Promise<void> {
  const { queue } = parts
  const waits = waitsOf(parts)
  checkNamespace(target)
  const temporary: Namespace = { db: target.db, collection: `${TEMPORARY}${randomUUID()}` }
  const drop = () => queue.run(singleTurn((scope) => dropCollection(scope, temporary, waits)))
  await queue.run(
    singleTurn((scope) => {
      const present = scope.catalog.find(target.db, target.collection)
      addCollection(scope, temporary, present?.options ?? new Map())
      const specs = present?.indexes.map(({ spec }) => spec) ?? []
      if (specs.length > 0) createIndexesAtOnce(scope, temporary, specs)
    })
  )
  try {
    await inChunks(results, (chunk) =>
      writeEach(parts, chunk, (scope, doc) => insertNew(scope, temporary, doc), context)
    )
    await queue.run(
      singleTurn((scope) =>
        renameCollection(scope, { from: temporary, to: target, dropTarget: true }, waits)
      )
    )
  } catch (error) {
    // What cannot be dropped now is dropped at the next start.
    await drop().catch(() => undefined)
    throw error
  }
}

/** The values by which a result finds its document; a missing `_id` is made. */
function identityOf(sink: MergeSink, result: Doc): Doc {
  const identity: Doc = new Map()
  for (const path of sink.on) {
    let value: Value = result
    for (const name of path.split('.')) value = value instanceof Map ? value.get(name) : undefined
    if (path === '_id' && value === undefined) value = new ObjectId()
    if (value === undefined || value === null || Array.isArray(value)) {
      throw commandError(
        'Location51132',
        `$merge write error: 'on' field '${path}' cannot be missing, null, undefined or an array`
      )
    }
    identity.set(path, value)
  }
  return identity
}

/** Where the results go, and the updates that were read for results of this run. */
interface Merging {
  readonly sink: MergeSink
  readonly updates: WeakMap<Doc, Update>
  readonly now: Date
}

function updateOf({ sink, updates, now }: Merging, result: Doc): Update {
  const known = updates.get(result)
  if (known !== undefined) return known
  const update = parseUpdate(sink.pipeline, { let: sink.bindings(result), isMulti: false, now })
  // A long expression answers the same update again, not one that is read anew.
  updates.set(result, update)
  return update
}

function mergedDoc(merging: Merging, before: Doc, result: Doc): Doc {
  const { sink } = merging
  if (sink.whenMatched === 'pipeline') return updateOf(merging, result).apply(before).doc
  const id = before.get('_id')
  const after: Doc = sink.whenMatched === 'merge' ? new Map(before) : new Map([['_id', id]])
  for (const [name, value] of result) after.set(name, value)
  return after
}

function checkSameId(before: Doc, after: Doc): void {
  const [old, fresh] = [before.get('_id'), after.get('_id')].map((id) => showValue(id))
  if (old === fresh) return
  throw commandError(
    'ImmutableField',
    `$merge failed to update the matching document, did you attempt to modify the _id or the shard key? :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'`
  )
}

function mergeMatched(
  scope: Scope,
  collection: Collection,
  merging: Merging,
  { found, result }: { readonly found: Found; readonly result: Doc }
): void {
  const { sink } = merging
  if (sink.whenMatched === 'keepExisting') return
  if (sink.whenMatched === 'fail') {
    throw duplicateKey(collection, uniqueIndex(collection, sink.on), encodeDoc(result))
  }
  const before = decodeDoc(found.bytes)
  const doc = mergedDoc(merging, before, result)
  checkSameId(before, doc)
  const after = encodeDoc(doc)
  if (Buffer.compare(after, found.bytes) === 0) return
  checkSize(after.length, 'object to merge')
  replaceDocument(scope, collection, {
    id: found.id,
    before: found.bytes,
    after,
    paths: 'all',
    kind: 'replace',
    description: () => ({ updatedFields: new Map(), removedFields: [], truncatedArrays: [] })
  })
}

function mergeOne(scope: Scope, merging: Merging, result: Doc, context: OperationContext): void {
  const { sink } = merging
  const ns = { db: sink.db, collection: sink.collection }
  const filter: Doc = new Map()
  for (const [path, value] of identityOf(sink, result)) filter.set(path, new Map([['$eq', value]]))
  const source = { view: scope.view, find: scope.catalog.find }
  const query = openQuery(source, ns, { filter, isLimited: true }, context)
  let found: Found | undefined
  if (query.collection !== undefined) {
    const walk = query.walk()
    while (found === undefined && !walk.isEnded) found = walk.step()
    walk.pause()
    if (found !== undefined) {
      mergeMatched(scope, query.collection, merging, { found, result })
      return
    }
  }
  if (sink.whenNotMatched === 'discard') return
  if (sink.whenNotMatched === 'fail') {
    throw commandError(
      'Location13113',
      '$merge could not find a matching document in the target collection for at least one document in the source collection'
    )
  }
  insertNew(scope, ns, result)
}

/** The unique index on exactly these fields; undefined stands for the one on `_id`. */
function uniqueIndex(collection: Collection | undefined, on: readonly string[]): Index | undefined {
  const wanted = [...on].sort().join('\0')
  return collection?.indexes.find(({ isUnique, partial, parts }) => {
    const paths = parts.map(({ path }) => path)
    return isUnique && partial === undefined && paths.sort().join('\0') === wanted
  })
}

/** `on` other than `_id` needs a unique index on exactly these fields. */
function checkUnique({ catalog }: EngineParts, { db, collection: name, on }: MergeSink): void {
  if (on.length === 1 && on[0] === '_id') return
  if (uniqueIndex(catalog.find(db, name), on) !== undefined) return
  throw commandError('Location51183', 'Cannot find index to verify that join fields will be unique')
}

/** Runs the results into their collection. */
export async function writeToSink(
  parts: EngineParts,
  sink: PipelineSink,
  results: AsyncIterable<Doc>,
  context: OperationContext
): Promise<void> {
  const target = { db: sink.db, collection: sink.collection }
  if (sink.kind === 'out') return writeOut(parts, target, results, context)
  checkNamespace(target)
  checkUnique(parts, sink)
  const merging: Merging = { sink, updates: new WeakMap(), now: context.now }
  await inChunks(results, (chunk) =>
    writeEach(parts, chunk, (scope, result) => mergeOne(scope, merging, result, context), context)
  )
}
