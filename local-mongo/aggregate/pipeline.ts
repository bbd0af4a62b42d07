// An aggregation pipeline: parsed once, then run over a stream of documents.
import type { Collation } from '../bson/collation.ts'
import type { Doc, Value } from '../bson/value.ts'
import { isDoc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { ReadFields } from '../expressions/expression.ts'
import { bindVariables, expressionContext } from '../expressions/expression-context.ts'
import { TurnOver } from '../expressions/turn-clock.ts'
import { weightedGroup } from './counting-group.ts'
import { joinFilters, runStages } from './nested-pipeline.ts'
import { parseStages, stageName } from './parse-stages.ts'
import { type PipelineSink, parseSink } from './sinks.ts'
import {
  giveTurn,
  needsAll,
  type ReadCollection,
  type Stage,
  type StageContext,
  type StageEnv,
  toBatches
} from './stage.ts'
import { wholeOption } from './stage-options.ts'

export type { MergeSink, PipelineSink } from './sinks.ts'

export interface PipelineContext {
  readonly db: string
  /** '' for a database-wide aggregate. */
  readonly collection: string
  readonly now: Date
  readonly let?: Doc | undefined
  readonly collation?: Collation | undefined
}

/** What a running pipeline needs from outside. */
export interface PipelineEnv {
  /** Documents of another collection, through its indexes where the filter allows. */
  readonly readCollection: ReadCollection
  /** For `$sort`, `$group` and the like, in bytes of BSON; default 100 MiB. */
  readonly memoryLimitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Gives others their turn and has long expressions evaluated; without it those fail. */
  readonly pause?: ((reason?: unknown) => Promise<void>) | undefined
}

/** What the executor may serve itself, from an index; the pipeline starts after it. */
export interface PipelinePrefix {
  /** Of leading `$match` stages. */
  readonly filter?: Doc
  /** Of a `$sort` that follows; then `skip` and `limit` that follow it. */
  readonly sort?: Doc
  readonly skip?: number
  readonly limit?: number
  /** Top-level fields that the rest reads, when it does not need whole documents. */
  readonly fields?: ReadonlySet<string>
}

/** A source that is not the collection's documents: must be served by the executor. */
export type PipelineSource =
  | { readonly kind: 'collection' }
  | { readonly kind: 'documents' }
  | { readonly kind: 'indexStats' }
  | { readonly kind: 'collStats'; readonly spec: Doc }
  | { readonly kind: 'currentOp'; readonly spec: Doc }
  | { readonly kind: 'changeStream'; readonly spec: Doc }
  | { readonly kind: 'listSessions'; readonly spec: Doc }

export interface Pipeline {
  readonly source: PipelineSource
  readonly prefix: PipelinePrefix
  readonly sink: PipelineSink | undefined
  /** Names of the other collections that are read, as `{db, collection}`. */
  readonly foreign: readonly { readonly db: string; readonly collection: string }[]
  /** Runs the stages after the prefix. For the source `documents` the input is not read. */
  run(
    input: Iterable<Doc> | AsyncIterable<Doc | readonly Doc[]>,
    env: PipelineEnv
  ): AsyncIterable<Doc>
  /**
   * The same over documents of the fields in `prefix` that stand for several: `WEIGHT` says for how many.
   * Undefined when each document is needed.
   */
  readonly runWeighted: Pipeline['run'] | undefined
}

const DEFAULT_MEMORY = 100 * 1024 * 1024

/** Fails with MongoDB's codes for unknown stages (40324), expressions (168, 31325) and options. */
export function parsePipeline(stages: readonly Doc[], context: PipelineContext): Pipeline {
  const { now, collation } = context
  const scope = bindVariables(context.let, now)
  const foreign: { db: string; collection: string }[] = []
  const stageContext: StageContext = {
    db: context.db,
    collection: context.collection,
    expressions: expressionContext({ scope, collation }),
    collation,
    now,
    depth: 0,
    foreign,
    parseStages
  }
  const source = sourceOf(stages, context.collection)
  const last = stages.at(-1)
  const sink = last ? parseSink(last, stageContext, scope) : undefined
  const isSpecial = source.kind !== 'collection' && source.kind !== 'documents'
  const body = stages.slice(isSpecial ? 1 : 0, sink ? -1 : undefined)
  const parsed = parseStages(body, stageContext, 'top')
  const { prefix, length } =
    source.kind === 'collection' ? readPrefix(body) : { prefix: {}, length: 0 }
  const rest = parsed.slice(length)
  const fields = rest.reduceRight<ReadFields>((after, stage) => stage.needs(after), needsAll())
  const runOf =
    (stages: readonly Stage[]): Pipeline['run'] =>
    (input, env) =>
      runPipeline(stages, input, { ...env, now, scope })
  const counting = isWhole(prefix, source) ? weightedGroup(body[length]) : undefined
  const weighted = counting && parseStages([counting], { ...stageContext, foreign: [] }, 'top')
  return {
    source,
    prefix: fields === 'all' ? prefix : { ...prefix, fields },
    sink,
    foreign,
    run: runOf(rest),
    runWeighted: weighted && runOf([...weighted, ...rest.slice(1)])
  }
}

/** Whether all documents that match reach the stages, in any order. */
const isWhole = ({ sort, skip, limit }: PipelinePrefix, { kind }: PipelineSource): boolean =>
  kind === 'collection' && sort === undefined && skip === undefined && limit === undefined

async function* runPipeline(
  stages: readonly Stage[],
  input: Parameters<Pipeline['run']>[0],
  {
    readCollection,
    memoryLimitBytes = DEFAULT_MEMORY,
    signal,
    pause = pauseHere(signal),
    now,
    scope
  }: PipelineEnv & Pick<Parameters<Stage['run']>[1], 'now' | 'scope'>
): AsyncGenerator<Doc> {
  const env = { readCollection, memoryLimitBytes, signal, pause, now, scope }
  for await (const batch of runStages(stages, toBatches(input, env), env)) yield* batch
}

function pauseHere(signal: AbortSignal | undefined): StageEnv['pause'] {
  return async (reason) => {
    if (reason !== undefined && !(reason instanceof TurnOver)) throw reason
    await giveTurn({ signal })
  }
}

function sourceOf(stages: readonly Doc[], collection: string): PipelineSource {
  const [first] = stages
  const name = first ? stageName(first) : ''
  const spec = (): Doc => specOf(name, first?.get(name))
  switch (name) {
    case '$documents':
      if (collection !== '')
        throw commandError('InvalidNamespace', '$documents can only be run with {aggregate: 1}')
      return { kind: 'documents' }
    case '$indexStats':
      if (spec().size > 0)
        throw commandError(
          'Location28803',
          'The $indexStats stage specification must be an empty object'
        )
      return { kind: 'indexStats' }
    case '$collStats':
      return { kind: 'collStats', spec: spec() }
    case '$currentOp':
      return { kind: 'currentOp', spec: spec() }
    case '$changeStream':
      return { kind: 'changeStream', spec: spec() }
    case '$listSessions':
    case '$listLocalSessions':
      return { kind: 'listSessions', spec: spec() }
    default:
      return { kind: 'collection' }
  }
}

function specOf(name: string, value: Value): Doc {
  if (isDoc(value)) return value
  throw commandError('FailedToParse', `${name} must take a nested object`)
}

interface ReadPrefix {
  readonly prefix: PipelinePrefix
  /** How many stages it takes the place of. */
  readonly length: number
}

/** Leading `$match`, then `$sort`, `$skip` and `$limit`, one of each and in this order. */
function readPrefix(stages: readonly Doc[]): ReadPrefix {
  let length = 0
  const filters: Doc[] = []
  while (stages[length]?.has('$match')) filters.push(stages[length++]?.get('$match') as Doc)
  const sort = stages[length]?.has('$sort') ? (stages[length++]?.get('$sort') as Doc) : undefined
  const skip = stages[length]?.has('$skip')
    ? wholeOption(stages[length++]?.get('$skip'), '$skip', 'Location5107200')
    : undefined
  const limit = stages[length]?.has('$limit')
    ? wholeOption(stages[length++]?.get('$limit'), '$limit', 'Location2107201')
    : undefined
  const filter = joinFilters(filters)
  return {
    length,
    prefix: {
      ...(filter && { filter }),
      ...(sort && { sort }),
      ...(skip !== undefined && { skip }),
      ...(limit !== undefined && { limit })
    }
  }
}
