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
import type { QueueScope, Scope } from '../storage/scope.ts'
import type { Job, Turn } from '../storage/write-queue.ts'
import { parseUpdate, type Update } from '../update/update.ts'
import { checkInterrupt } from './interrupt.ts'
import { Matching } from './matching.ts'
import { type EmptyQuery, openQuery, type Query } from './query.ts'
import { giveTurn, untilDone, waitFor, waitOf } from './time-slices.ts'
import { mayMove } from './update.ts'
import { type Applied, updateFound } from './update-found.ts'
import { insertUpsert, makeUpsert, type NewDocument } from './upsert.ts'

/** The operation while it looks for its document. */
interface OpenSearch {
  readonly query: Query | EmptyQuery
  readonly matching: Matching | undefined
  readonly parsed: ParsedChange
}

/** What is read once, however often the document is looked for. */
interface ParsedChange {
  readonly update: Update | undefined
  readonly projection: Projection | undefined
  /** The document of an upsert, once it is made. */
  made?: NewDocument
}

/** What a step has led to. */
type SearchStep =
  | { readonly result: FindAndModifyResult }
  | { readonly heldBy: Promise<unknown> | undefined }

const NONE: FindAndModifyResult = { value: null, lastErrorObject: { n: 0 }, retried: false }

function openSearch(
  scope: Scope,
  ns: Namespace,
  {
    request,
    known
  }: { readonly request: FindAndModifyRequest; readonly known?: ParsedChange | undefined },
  context: OperationContext
): OpenSearch {
  const source = { view: scope.view, find: scope.catalog.find }
  const query = openQuery(source, ns, { ...request, isLimited: true }, context)
  const parsed = known ?? parseChange(query, request, context)
  if (query.collection === undefined) return { query, matching: undefined, parsed }
  const { update } = parsed
  const moves = update !== undefined && mayMove(query, update)
  const matching = new Matching(query, { isSingle: true, mayMove: moves, context })
  return { query, matching, parsed }
}

function parseChange(
  query: Query | EmptyQuery,
  request: FindAndModifyRequest,
  { now }: OperationContext
): ParsedChange {
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
  return { update, projection }
}

function projected(projection: Projection | undefined, bytes: Uint8Array): Uint8Array {
  return projection === undefined ? bytes : projection.applyBytes(bytes)
}

function upsert(
  scope: Scope,
  ns: Namespace,
  { query, parsed }: OpenSearch,
  { returnNew }: FindAndModifyRequest
): FindAndModifyResult {
  parsed.made ??= makeUpsert(parsed.update as Update, query.filter)
  const { made } = parsed
  const value = returnNew ? projected(parsed.projection, made.bytes) : null
  insertUpsert(scope, ns, made)
  return {
    value,
    lastErrorObject: { n: 1, updatedExisting: false, upserted: made.id },
    retried: false
  }
}

function searchStep(
  scope: Scope,
  ns: Namespace,
  search: OpenSearch,
  request: FindAndModifyRequest
): SearchStep {
  const { query, matching, parsed } = search
  const { update, projection } = parsed
  let answer: Uint8Array | undefined
  if (matching !== undefined && query.collection !== undefined) {
    const collection = query.refresh({ view: scope.view, find: scope.catalog.find })
    const { isOver, heldBy } = matching.step(scope, (found) => {
      if (update === undefined) {
        answer = projected(projection, found.bytes)
        removeDocument(scope, collection, found.id, found.bytes)
        return true
      }
      const beforeWrite = ({ before, after }: Applied): void => {
        answer = projected(projection, request.returnNew ? after : before)
      }
      const { filter } = query
      return updateFound(scope, collection, { update, filter, beforeWrite }, found).changed
    })
    if (!isOver) return { heldBy }
  }
  if (answer !== undefined) {
    const n = { n: 1 }
    return {
      result: {
        value: answer,
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
  const search = await whenQuiet(() => openSearch(scope, ns, { request }, context))
  for (;;) {
    checkInterrupt(context)
    const step = await untilDone(context, () =>
      whenQuiet(() => searchStep(scope, ns, search, request))
    )
    if ('result' in step) return step.result
    await (step.heldBy ?? giveTurn())
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
  let known: ParsedChange | undefined
  function tryStep(scope: QueueScope): SearchStep {
    try {
      search ??= openSearch(scope, ns, { request, known }, context)
      known = search.parsed
      return searchStep(scope, ns, search, request)
    } catch (error) {
      const heldBy = waitOf(error, context)
      if (heldBy === undefined) throw error
      // The document of an upsert is perhaps just being made: then it is looked for once more.
      search = undefined
      return { heldBy }
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
