// aggregate: documents through an index into a pipeline, and its results to the client or a collection.

import {
  type Pipeline,
  type PipelineEnv,
  type PipelinePrefix,
  parsePipeline
} from '../aggregate/pipeline.ts'
import { parseCollation } from '../bson/collation.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import type { AggregateRequest, Namespace, OperationContext, Rows } from '../engine.ts'
import { commandError } from '../errors.ts'
import { countWithoutReading } from './count.ts'
import { checkInterrupt } from './interrupt.ts'
import { openOrdered } from './ordered.ts'
import { type EngineParts, readSource } from './parts.ts'
import { type EmptyQuery, openQuery, type Query, type ReadSource } from './query.ts'
import { emptyRows, IteratedRows } from './rows.ts'
import { writeToSink } from './sinks.ts'
import { collStatsStage, indexStats } from './statistics.ts'
import { pauseFor, SLICE_MS } from './time-slices.ts'
import { weightedDocuments } from './weighted.ts'

/** Documents handed to the pipeline together. */
const CHUNK = 128
const NO_FILTER: Doc = new Map()

/** What of a query the pipeline wants. */
interface Wanted {
  readonly skip: number
  /** 0 for all. */
  readonly limit: number
  /** Top-level fields; all when undefined. */
  readonly fields: ReadonlySet<string> | undefined
  readonly mayUseDisk: boolean
}

/** The documents of a query in chunks; others have their turn in between. */
async function* documentsOf(
  query: Query,
  { skip, limit, fields, mayUseDisk }: Wanted,
  context: OperationContext
): AsyncGenerator<Doc[]> {
  const documents = openOrdered(query, { wanted: limit > 0 ? skip + limit : 0, mayUseDisk, fields })
  let toSkip = skip
  let left = limit > 0 ? limit : Number.POSITIVE_INFINITY
  let until = performance.now() + SLICE_MS
  query.refresh()
  const fill = (chunk: Doc[]): void => {
    for (
      let steps = 0;
      steps < 2 * CHUNK && left > 0 && chunk.length < CHUNK && !documents.isEnded;
      steps++
    ) {
      const found = documents.step()
      if (found === undefined) continue
      if (toSkip > 0) {
        toSkip--
        continue
      }
      left--
      chunk.push(decodeDoc(found.bytes, fields))
    }
  }
  while (left > 0 && !documents.isEnded) {
    const chunk: Doc[] = []
    let reason: unknown
    try {
      fill(chunk)
    } catch (error) {
      reason = error
    } finally {
      // Also of a filter that fails on a document: an open walk keeps old pages from being used again.
      documents.pause()
    }
    if (chunk.length > 0) yield chunk
    if (reason !== undefined || performance.now() > until) {
      await pauseFor(reason, context)
      until = performance.now() + SLICE_MS
    }
    // Whoever took the chunk may have given the turn away too, and the transaction have ended since.
    query.refresh()
  }
}

const EMPTY: Doc = new Map()

/** As many empty documents as the query has, for a pipeline that reads no field of them. */
async function* emptyDocuments(
  query: Query,
  wanted: Wanted,
  context: OperationContext
): AsyncGenerator<Doc[]> {
  const { skip, limit } = wanted
  const found = await countWithoutReading(query, context)
  if (found === undefined) {
    yield* documentsOf(query, wanted, context)
    return
  }
  const rest = Math.max(0, found - skip)
  let left = limit > 0 ? Math.min(limit, rest) : rest
  while (left > 0) {
    const size = Math.min(left, 8 * CHUNK)
    yield new Array<Doc>(size).fill(EMPTY)
    left -= size
  }
}

/** The query that serves the beginning of a pipeline. */
export function prefixQuery(
  source: ReadSource,
  ns: Namespace,
  { prefix, request }: { readonly prefix: PipelinePrefix; readonly request: AggregateRequest },
  context: OperationContext
): Query | EmptyQuery {
  const spec = {
    ...request,
    filter: prefix.filter ?? NO_FILTER,
    sort: prefix.sort,
    isLimited: prefix.limit !== undefined
  }
  return openQuery(source, ns, spec, context)
}

/** The documents that a pipeline starts from. */
export function pipelineInput(
  query: Query | EmptyQuery,
  { prefix, mayUseDisk }: { readonly prefix: PipelinePrefix; readonly mayUseDisk: boolean },
  context: OperationContext
): AsyncIterable<Doc[]> {
  const wanted: Wanted = {
    skip: prefix.skip ?? 0,
    limit: prefix.limit ?? 0,
    fields: prefix.fields,
    mayUseDisk
  }
  if (query.collection === undefined) return nothing()
  return wanted.fields?.size === 0
    ? emptyDocuments(query, wanted, context)
    : documentsOf(query, wanted, context)
}

async function* nothing(): AsyncGenerator<Doc[]> {}

/** What a running pipeline may read beside its input. */
export function pipelineEnv(source: ReadSource, context: OperationContext): PipelineEnv {
  return {
    signal: context.signal,
    pause: (reason) => pauseFor(reason, context),
    readCollection(db, name, filter = NO_FILTER) {
      const query = openQuery(source, { db, collection: name }, { filter }, context)
      return pipelineInput(query, { prefix: {}, mayUseDisk: true }, context)
    }
  }
}

async function* encoded(results: AsyncIterable<Doc>): AsyncGenerator<Uint8Array> {
  for await (const doc of results) yield encodeDoc(doc)
}

/** Parses a pipeline and plans its beginning. */
function openPipeline(
  source: ReadSource,
  ns: Namespace,
  request: AggregateRequest,
  context: OperationContext
): { readonly pipeline: Pipeline; readonly query: () => Query | EmptyQuery } {
  const collation =
    request.collation === undefined
      ? source.find(ns.db, ns.collection)?.collation
      : parseCollation(request.collation)
  const { db, collection } = ns
  const { now } = context
  const pipeline = parsePipeline(request.pipeline, {
    db,
    collection,
    now,
    let: request.let,
    collation
  })
  const { prefix } = pipeline
  return { pipeline, query: () => prefixQuery(source, ns, { prefix, request }, context) }
}

/** Runs a pipeline over the documents of its query, or over few that stand for them. */
async function* runOver(
  query: Query | EmptyQuery,
  { prefix, run, runWeighted }: Pipeline,
  { env, mayUseDisk }: { readonly env: PipelineEnv; readonly mayUseDisk: boolean },
  context: OperationContext
): AsyncGenerator<Doc> {
  const { fields } = prefix
  if (runWeighted !== undefined && fields !== undefined && query.collection !== undefined) {
    const weighted = await weightedDocuments(query, fields, context)
    if (weighted !== undefined) return yield* runWeighted(weighted, env)
  }
  yield* run(pipelineInput(query, { prefix, mayUseDisk }, context), env)
}

/** The documents of a source that is not the collection's own. */
function specialSource(
  parts: EngineParts,
  ns: Namespace,
  { source }: Pipeline,
  { now }: OperationContext
): readonly Doc[] | undefined {
  switch (source.kind) {
    case 'collection':
    case 'documents':
      return undefined
    case 'indexStats':
      return indexStats(parts, ns)
    case 'collStats':
      return [collStatsStage(parts, ns, source.spec, now)]
    default:
      throw commandError('NotImplemented', `The source $${source.kind} is not served here`)
  }
}

/** Opens the rows of an aggregate. */
export async function aggregate(
  parts: EngineParts,
  ns: Namespace,
  request: AggregateRequest,
  context: OperationContext
): Promise<Rows> {
  checkInterrupt(context)
  const source = readSource(parts, context)
  const { pipeline, query } = openPipeline(source, ns, request, context)
  const special = specialSource(parts, ns, pipeline, context)
  const env = pipelineEnv(source, context)
  const mayUseDisk = request.allowDiskUse !== false
  const results =
    special === undefined
      ? runOver(query(), pipeline, { env, mayUseDisk }, context)
      : pipeline.run(special, env)
  if (pipeline.sink === undefined) return new IteratedRows(encoded(results))
  if (context.transaction !== undefined) {
    throw commandError(
      'OperationNotSupportedInTransaction',
      `$${pipeline.sink.kind} is not allowed inside a multi-document transaction`
    )
  }
  await writeToSink(parts, pipeline.sink, results, context)
  return emptyRows()
}
