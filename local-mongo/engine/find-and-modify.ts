// findAndModify: changes or removes the first document of a query and answers with it.
import { Binary, Int32 } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type {
  FindAndModifyRequest,
  FindAndModifyResult,
  Namespace,
  OperationContext
} from '../engine.ts'
import { type Projection, parseProjection } from '../query/projection.ts'
import { removeDocument } from '../storage/documents.ts'
import { RetrySession } from '../storage/retry-log.ts'
import { Held, type QueueScope, type Scope } from '../storage/scope.ts'
import type { Job, Turn } from '../storage/write-queue.ts'
import { parseUpdate, type Update } from '../update/update.ts'
import { Matching } from './matching.ts'
import { type EmptyQuery, openQuery, type Query } from './query.ts'
import { checkInterrupt, giveTurn, waitFor } from './time-slices.ts'
import { insertUpsert, mayMove, updateFound } from './update.ts'

/** The operation while it looks for its document. */
interface OpenSearch {
  readonly query: Query | EmptyQuery
  readonly matching: Matching | undefined
  readonly update: Update | undefined
  readonly projection: Projection | undefined
}

/** What a step has led to. */
type SearchStep =
  | { readonly result: FindAndModifyResult }
  | { readonly heldBy: Promise<unknown> | undefined }

const NONE: FindAndModifyResult = { value: null, lastErrorObject: { n: 0 }, retried: false }

function openSearch(
  scope: Scope,
  ns: Namespace,
  request: FindAndModifyRequest,
  context: OperationContext
): OpenSearch {
  const source = { view: scope.view, find: scope.catalog.find }
  const query = openQuery(source, ns, { ...request, isLimited: true }, context)
  const { now } = context
  const update =
    request.update === undefined || request.remove
      ? undefined
      : parseUpdate(request.update, {
          arrayFilters: request.arrayFilters,
          let: request.let,
          isMulti: false,
          now,
          collation: query.collation
        })
  const { projection: spec } = request
  const projection =
    spec === undefined || spec.size === 0
      ? undefined
      : parseProjection(spec, { filter: query.filter, let: request.let, now })
  if (query.collection === undefined) return { query, matching: undefined, update, projection }
  const moves = update !== undefined && mayMove(query, update)
  const matching = new Matching(query, { isSingle: true, mayMove: moves })
  return { query, matching, update, projection }
}

function projected(projection: Projection | undefined, bytes: Uint8Array): Uint8Array {
  return projection === undefined ? bytes : projection.applyBytes(bytes)
}

function upsert(
  scope: Scope,
  ns: Namespace,
  { query, update, projection }: OpenSearch,
  { returnNew }: FindAndModifyRequest
): FindAndModifyResult {
  const { bytes, result } = insertUpsert(scope, ns, {
    update: update as Update,
    filter: query.filter
  })
  return {
    value: returnNew ? projected(projection, bytes) : null,
    lastErrorObject: { n: 1, updatedExisting: false, upserted: result.upserted?._id },
    retried: false
  }
}

function searchStep(
  scope: Scope,
  ns: Namespace,
  search: OpenSearch,
  request: FindAndModifyRequest
): SearchStep {
  const { query, matching, update, projection } = search
  let answer: Uint8Array | undefined
  if (matching !== undefined && query.collection !== undefined) {
    const collection = query.refresh({ view: scope.view, find: scope.catalog.find })
    const { isOver, heldBy } = matching.step(scope, (found) => {
      if (update === undefined) {
        removeDocument(scope, collection, found.id, found.bytes)
        answer = found.bytes
        return true
      }
      const applied = updateFound(scope, collection, { update, filter: query.filter }, found)
      answer = request.returnNew ? applied.after : applied.before
      return applied.changed
    })
    if (!isOver) return { heldBy }
  }
  if (answer !== undefined) {
    const n = { n: 1 }
    return {
      result: {
        value: projected(projection, answer),
        lastErrorObject: update === undefined ? n : { ...n, updatedExisting: true },
        retried: false
      }
    }
  }
  if (update === undefined) return { result: NONE }
  if (request.upsert) return { result: upsert(scope, ns, search, request) }
  return { result: { ...NONE, lastErrorObject: { n: 0, updatedExisting: false } } }
}

/** The operation inside a multi-document transaction, giving the turn away in between. */
export async function modifyInTransaction(
  scope: Scope,
  ns: Namespace,
  {
    request,
    context
  }: { readonly request: FindAndModifyRequest; readonly context: OperationContext },
  whenQuiet: <T>(act: () => T) => Promise<T>
): Promise<FindAndModifyResult> {
  const search = await whenQuiet(() => openSearch(scope, ns, request, context))
  for (;;) {
    checkInterrupt(context)
    const step = await whenQuiet(() => searchStep(scope, ns, search, request))
    if ('result' in step) return step.result
    await giveTurn()
  }
}

function encodeAnswer({ value, lastErrorObject }: FindAndModifyResult): Uint8Array {
  const { n, updatedExisting } = lastErrorObject
  const doc: Doc = new Map<string, Value>([['n', new Int32(n)]])
  if (value !== null) doc.set('v', new Binary(value))
  if (updatedExisting !== undefined) doc.set('e', updatedExisting)
  if ('upserted' in lastErrorObject) doc.set('u', lastErrorObject.upserted)
  return encodeDoc(doc)
}

function decodeAnswer(bytes: Uint8Array): FindAndModifyResult {
  const doc = decodeDoc(bytes)
  const value = doc.get('v') as Binary | undefined
  return {
    value: value === undefined ? null : value.buffer,
    lastErrorObject: {
      n: (doc.get('n') as Int32).value,
      ...(doc.has('e') ? { updatedExisting: doc.get('e') === true } : {}),
      ...(doc.has('u') ? { upserted: doc.get('u') } : {})
    },
    retried: true
  }
}

/** The job of the write queue for a findAndModify. */
export function modifyJob(
  ns: Namespace,
  request: FindAndModifyRequest,
  context: OperationContext
): Job<QueueScope, undefined, FindAndModifyResult> {
  let search: OpenSearch | undefined
  function tryStep(scope: QueueScope): SearchStep {
    try {
      search ??= openSearch(scope, ns, request, context)
      return searchStep(scope, ns, search, request)
    } catch (error) {
      if (!(error instanceof Held)) throw error
      // The document of an upsert is perhaps just being made: then it is looked for once more.
      search = undefined
      return { heldBy: error.ended }
    }
  }
  return {
    start: undefined,
    turn(scope): Turn<undefined, FindAndModifyResult> {
      checkInterrupt(context)
      const retry = context.retry && new RetrySession(scope.view, context.retry)
      if (retry?.answer !== undefined) return { done: decodeAnswer(retry.answer) }
      const step = tryStep(scope)
      if ('result' in step) {
        retry?.noteAnswer(encodeAnswer(step.result))
        retry?.save(scope.view, context.now)
        return { done: step.result }
      }
      if (step.heldBy === undefined) return { progress: undefined }
      return { progress: undefined, ...waitFor(step.heldBy, context) }
    }
  }
}
