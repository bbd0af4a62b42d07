// explain: the plan of a command, and on wish what running its query does. Writes are never done.

import { type PipelinePrefix, parsePipeline } from '../aggregate/pipeline.ts'
import type { Doc, Value } from '../bson/value.ts'
import type {
  ExplainRequest,
  FindRequest,
  Namespace,
  OperationContext,
  Verbosity
} from '../engine.ts'
import { accessStages, int, type StageOptions, stage } from '../planner/explain-access.ts'
import type { Filter } from '../query/filter.ts'
import { parseProjection, wantedFields } from '../query/projection.ts'
import { parseUpdate } from '../update/update.ts'
import { countableAccess } from './count.ts'
import { isCovered } from './covering.ts'
import { type OrderedDocuments, openOrdered } from './ordered.ts'
import { type EngineParts, readSource } from './parts.ts'
import { type EmptyQuery, openQuery, type Query, type QuerySpec, type ReadSource } from './query.ts'
import { runInSlices } from './time-slices.ts'
import { totals } from './walk.ts'

const NO_FILTER: Doc = new Map()

/** The query of a command, and the stages above it. */
interface Explained {
  readonly spec: QuerySpec
  readonly skip: number
  /** 0 for none. */
  readonly limit: number
  readonly projection: Doc | undefined
  /** The only fields that are wanted, as the projection or the pipeline says. */
  readonly fields?: ReadonlySet<string> | undefined
  /** UPDATE, DELETE or COUNT on top. */
  readonly top: string | undefined
  readonly isCount: boolean
  readonly mayUseDisk: boolean
}

const PLAIN = {
  skip: 0,
  limit: 0,
  projection: undefined,
  top: undefined,
  isCount: false,
  mayUseDisk: true
}

function ofFind(request: FindRequest): Explained {
  const { skip = 0, limit = 0, projection, allowDiskUse } = request
  const spec = { ...request, isLimited: limit > 0 }
  return { ...PLAIN, spec, skip, limit, projection, mayUseDisk: allowDiskUse !== false }
}

function ofPrefix(prefix: PipelinePrefix, request: Omit<QuerySpec, 'filter'>): Explained {
  const { filter = NO_FILTER, sort, skip = 0, limit = 0 } = prefix
  const spec = { ...request, filter, sort, isLimited: limit > 0 }
  return { ...PLAIN, spec, skip, limit, fields: prefix.fields }
}

function explainedOf(ns: Namespace, asked: ExplainRequest, context: OperationContext): Explained {
  switch (asked.command) {
    case 'find':
      return ofFind(asked.request)
    case 'distinct':
      return { ...PLAIN, spec: asked.request }
    case 'count': {
      const { skip = 0, limit = 0 } = asked.request
      return { ...PLAIN, spec: asked.request, skip, limit, top: 'COUNT', isCount: true }
    }
    case 'aggregate': {
      const { pipeline, let: variables } = asked.request
      const { db, collection } = ns
      const { now } = context
      const parsed = parsePipeline(pipeline, { db, collection, now, let: variables })
      return ofPrefix(parsed.prefix, asked.request)
    }
    case 'delete': {
      const { single } = asked.request
      return {
        ...PLAIN,
        spec: { ...asked.request, isLimited: single },
        limit: single ? 1 : 0,
        top: 'DELETE'
      }
    }
    case 'update': {
      const { multi, update, arrayFilters, let: variables } = asked.request
      parseUpdate(update, { arrayFilters, let: variables, isMulti: multi, now: context.now })
      return {
        ...PLAIN,
        spec: { ...asked.request, isLimited: !multi },
        limit: multi ? 0 : 1,
        top: 'UPDATE'
      }
    }
    case 'findAndModify': {
      const top = asked.request.remove ? 'DELETE' : 'UPDATE'
      return { ...PLAIN, spec: { ...asked.request, isLimited: true }, limit: 1, top }
    }
  }
}

/** Runs the query to its end without keeping what it finds. */
async function runQuery(
  query: Query,
  { skip, limit, mayUseDisk, fields }: Explained,
  context: OperationContext
): Promise<{
  readonly documents: OrderedDocuments
  readonly returned: number
  readonly millis: number
}> {
  const wanted = limit > 0 ? skip + limit : 0
  const documents = openOrdered(query, { wanted, mayUseDisk, fields })
  const most = wanted > 0 ? wanted : Number.POSITIVE_INFINITY
  const begun = performance.now()
  let found = 0
  await runInSlices(
    context,
    () => {
      if (documents.isEnded || found >= most) return true
      if (documents.step() !== undefined) found++
      return false
    },
    () => documents.pause(),
    () => query.refresh()
  )
  const millis = Math.round(performance.now() - begun)
  return { documents, returned: Math.max(0, found - skip), millis }
}

type Run = Awaited<ReturnType<typeof runQuery>>

function counted(run: Run | undefined, fields: [string, Value][]): [string, Value][] {
  return run === undefined ? fields : [['nReturned', int(run.returned)], ...fields]
}

/** The tree of stages from the top down. */
function stagesOf(query: Query, explained: Explained, run: Run | undefined): Doc {
  const { spec, skip, limit, projection, top, isCount, fields } = explained
  const covered = isCovered(query.plan, fields)
  const options: StageOptions = {
    node: query.filter.node,
    filter: spec.filter,
    stats: run?.documents.walk.stats,
    isKeyOnly: isCount && countableAccess(query) !== undefined,
    isCovered: covered
  }
  let tree = accessStages(query.plan.access, options)
  const wrap = (name: string, fields: [string, Value][] = []) => {
    tree = stage(name, [...counted(run, fields), ['inputStage', tree]])
  }
  if (spec.sort !== undefined && query.plan.needsSort) {
    const amount: [string, Value][] = limit > 0 ? [['limitAmount', int(skip + limit)]] : []
    wrap('SORT', [
      ['sortPattern', spec.sort],
      ['memLimit', int(104_857_600)],
      ...amount,
      ['type', 'simple']
    ])
  }
  if (skip > 0 && !isCount) wrap('SKIP', [['skipAmount', int(skip)]])
  if (projection !== undefined && projection.size > 0) {
    const isSimple =
      [...projection.values()].every((value) => !(value instanceof Map)) &&
      ![...projection.keys()].some((path) => path.includes('.'))
    const plain = isSimple ? 'PROJECTION_SIMPLE' : 'PROJECTION_DEFAULT'
    wrap(covered ? 'PROJECTION_COVERED' : plain, [['transformBy', projection]])
  } else if (covered) {
    const kept: [string, Value][] = [...(fields ?? [])].map((field) => [field, true])
    wrap('PROJECTION_COVERED', [['transformBy', new Map<string, Value>(kept)]])
  }
  if (limit > 0 && top === undefined && !(spec.sort !== undefined && query.plan.needsSort)) {
    wrap('LIMIT', [['limitAmount', int(limit)]])
  }
  if (top !== undefined) wrap(top)
  return tree
}

function plannerOf(ns: Namespace, query: Query | EmptyQuery, explained: Explained): Doc {
  const planned = query.collection === undefined ? undefined : query
  const winning = planned === undefined ? stage('EOF') : stagesOf(planned, explained, undefined)
  const options = { node: query.filter.node, filter: explained.spec.filter, stats: undefined }
  const rejected = (planned?.plan.rejected ?? []).map((access) => accessStages(access, options))
  return new Map<string, Value>([
    ['namespace', `${ns.db}.${ns.collection}`],
    ['indexFilterSet', false],
    ['parsedQuery', explained.spec.filter],
    ['optimizedPipeline', false],
    ['winningPlan', winning],
    ['rejectedPlans', rejected]
  ])
}

function statsOf(query: Query | EmptyQuery, explained: Explained, run: Run | undefined): Doc {
  const { keys, docs } = run === undefined ? { keys: 0, docs: 0 } : totals(run.documents.walk.stats)
  const isKeyOnly =
    explained.isCount && query.collection !== undefined && countableAccess(query) !== undefined
  const stages = query.collection === undefined ? stage('EOF') : stagesOf(query, explained, run)
  return new Map<string, Value>([
    ['executionSuccess', true],
    ['nReturned', int(run?.returned ?? 0)],
    ['executionTimeMillis', int(run?.millis ?? 0)],
    ['totalKeysExamined', int(keys)],
    ['totalDocsExamined', int(isKeyOnly ? 0 : docs)],
    ['executionStages', stages]
  ])
}

/** The stages of a pipeline that its beginning, served by the query, does not cover. */
function restOf(pipeline: readonly Doc[], prefix: PipelinePrefix): readonly Doc[] {
  const covered = new Set(['$match'])
  if (prefix.sort !== undefined) covered.add('$sort')
  if (prefix.skip !== undefined) covered.add('$skip')
  if (prefix.limit !== undefined) covered.add('$limit')
  const first = pipeline.findIndex((one) => ![...one.keys()].every((name) => covered.has(name)))
  return first < 0 ? [] : pipeline.slice(first)
}

function answerOf(
  asked: ExplainRequest,
  ns: Namespace,
  parts: readonly (readonly [string, Value])[],
  now: Date
): Doc {
  const head: [string, Value] = ['explainVersion', '1']
  if (asked.command !== 'aggregate') return new Map<string, Value>([head, ...parts])
  const { pipeline } = asked.request
  const { prefix } = parsePipeline(pipeline, {
    db: ns.db,
    collection: ns.collection,
    now,
    let: asked.request.let
  })
  const rest = restOf(pipeline, prefix)
  if (rest.length === 0) return new Map<string, Value>([head, ...parts])
  const cursor: Doc = new Map([['$cursor', new Map<string, Value>(parts)]])
  return new Map<string, Value>([head, ['stages', [cursor, ...rest]]])
}

/** Reads the projection, so that its mistakes are told, and what it wants. */
function withFields(command: Explained, filter: Filter, { now }: OperationContext): Explained {
  const { projection } = command
  if (projection === undefined || projection.size === 0) return command
  return { ...command, fields: wantedFields(parseProjection(projection, { filter, now })) }
}

/** Explains a command. */
export async function explain(
  parts: EngineParts,
  ns: Namespace,
  { asked, verbosity }: { readonly asked: ExplainRequest; readonly verbosity: Verbosity },
  context: OperationContext
): Promise<Doc> {
  const source: ReadSource = readSource(parts, context)
  const command = explainedOf(ns, asked, context)
  const query = openQuery(source, ns, command.spec, context)
  const explained = withFields(command, query.filter, context)
  const found: [string, Value][] = [['queryPlanner', plannerOf(ns, query, explained)]]
  if (verbosity !== 'queryPlanner') {
    const run =
      query.collection === undefined ? undefined : await runQuery(query, explained, context)
    const stats = statsOf(query, explained, run)
    if (verbosity === 'allPlansExecution') stats.set('allPlansExecution', [])
    found.push(['executionStats', stats])
  }
  return answerOf(asked, ns, found, context.now)
}
