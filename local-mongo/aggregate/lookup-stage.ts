// $lookup: documents of another collection beside each document.
import { sizeOfDoc } from '../bson/encode.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { type ValueKey, valueKey } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import {
  type Expression,
  MISSING,
  type ReadFields,
  unionFields
} from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { checkVariableName, valueAt, withVariables } from '../expressions/parse-expression.ts'
import { visitPath, walkPath } from '../query/path-walk.ts'
import { bindEqualities, type Equality, equalitiesOf, withoutVariables } from './correlation.ts'
import {
  joinFilters,
  type NestedPipeline,
  parseNested,
  runStages,
  stageList
} from './nested-pipeline.ts'
import { setPath } from './set-path.ts'
import {
  type Batches,
  collectAll,
  evaluationOf,
  inBatches,
  MemoryMeter,
  mapAsync,
  type Stage,
  type StageContext,
  type StageEnv,
  type StageParser,
  toBatches,
  visitEach
} from './stage.ts'
import { fieldOption, stageOptions, textOption } from './stage-options.ts'

interface Join {
  readonly local: readonly string[]
  readonly foreign: string
}

interface Lookup {
  readonly db: string
  readonly from: string
  readonly as: readonly string[]
  readonly join: Join | undefined
  readonly variables: readonly (readonly [string, Expression])[]
  readonly pipeline: NestedPipeline | undefined
  /** What of the pipeline's filter can be asked of the collection for each document. */
  readonly fixed: Doc | undefined
  readonly equalities: readonly Equality[]
  readonly collation: StageContext['collation']
}

const OPTIONS = ['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']
/** Documents of the other collection that are kept when every document needs all of them. */
const KEPT_BYTES = 16 * 1024 * 1024

export const parseLookup: StageParser = (spec, context) => {
  const options = stageOptions('$lookup', spec, { required: ['as'], optional: OPTIONS })
  const lookup = readLookup(options, context)
  const fields: ReadFields = unionFields(
    new Set(lookup.join ? [lookup.join.local[0] as string] : []),
    new Set([lookup.as[0] as string]),
    ...lookup.variables.map(([, expression]) => expression.fields)
  )
  return {
    needs: (after) => unionFields(fields, after),
    run: (input, env) => runLookup(lookup, input, env)
  }
}

function readLookup(options: Doc, context: StageContext): Lookup {
  const as = fieldOption(options.get('as'), "$lookup argument 'as'").split('.')
  const variables = readVariables(options.get('let'), context)
  const expressions = withVariables(
    context.expressions,
    variables.map(([name]) => name)
  )
  const { db, from } = foreignOf(options, context)
  const inner = { ...context, collection: from, expressions }
  const stages = options.has('pipeline') ? stageList(options.get('pipeline'), '$lookup') : undefined
  const pipeline = stages ? parseNested(stages, inner, 'lookup') : undefined
  const join = joinOf(options)
  if (!join && !pipeline) {
    throw commandError(
      'FailedToParse',
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified"
    )
  }
  const filters = pipeline?.filters ?? []
  return {
    db,
    from,
    as,
    join,
    variables,
    pipeline,
    fixed: joinFilters(filters.flatMap(withoutVariables)),
    equalities: context.collation
      ? []
      : filters.flatMap((filter) => equalitiesOf(filter, expressions)),
    collation: context.collation
  }
}

function foreignOf(
  options: Doc,
  { db, foreign }: StageContext
): { readonly db: string; readonly from: string } {
  if (!options.has('from')) {
    const [first] = options.has('pipeline') ? stageList(options.get('pipeline'), '$lookup') : []
    if (first?.has('$documents')) return { db, from: '' }
    throw commandError(
      'FailedToParse',
      "must specify 'pipeline' with a $documents stage as first stage when 'from' is empty"
    )
  }
  const from = textOption(options.get('from'), "$lookup argument 'from'", 'FailedToParse')
  foreign.push({ db, collection: from })
  return { db, from }
}

function joinOf(options: Doc): Join | undefined {
  if (!options.has('localField') && !options.has('foreignField')) return undefined
  if (!options.has('localField') || !options.has('foreignField')) {
    throw commandError(
      'FailedToParse',
      "$lookup requires both or neither of 'localField' and 'foreignField' to be specified"
    )
  }
  return {
    local: fieldOption(options.get('localField'), "$lookup argument 'localField'").split('.'),
    foreign: fieldOption(options.get('foreignField'), "$lookup argument 'foreignField'")
  }
}

function readVariables(spec: Value, { expressions }: StageContext): Lookup['variables'] {
  if (spec === undefined) return []
  if (!isDoc(spec)) throw commandError('FailedToParse', "$lookup argument 'let' must be an object")
  return [...spec].map(([name, value]) => {
    checkVariableName(name)
    return [name, parseWhole(value, expressions)]
  })
}

function runLookup(lookup: Lookup, input: Batches, env: StageEnv): Batches {
  const found = finder(lookup, env)
  return mapAsync(input, async (batch) => {
    const lists = await found(batch)
    return batch.map((doc, index) => setPath(doc, lookup.as, lists[index] as Doc[]))
  })
}

/** Finds the list for each document of a batch. */
type Finder = (batch: readonly Doc[]) => Promise<readonly (readonly Doc[])[]>

function finder(lookup: Lookup, env: StageEnv): Finder {
  const { join, pipeline } = lookup
  if (join) {
    return async (batch) => {
      const lists = await joined(batch, join, lookup, env)
      if (!pipeline) return lists
      return eachDocument(batch, async (doc, index) =>
        runOn(lists[index] ?? [], pipeline.stages, await scopeOf(doc, lookup, env))
      )
    }
  }
  const nested = pipeline as NestedPipeline
  if (nested.hasDocuments)
    return (batch) =>
      eachDocument(batch, async (doc) => runOn([], nested.stages, await scopeOf(doc, lookup, env)))
  if (lookup.variables.length === 0) return once(lookup, nested, env)
  return lookup.equalities.length > 0
    ? byEquality(lookup, nested, env)
    : byScan(lookup, nested, env)
}

async function eachDocument(
  batch: readonly Doc[],
  find: (doc: Doc, index: number) => Promise<Doc[]>
): Promise<Doc[][]> {
  const lists: Doc[][] = []
  for (const [index, doc] of batch.entries()) lists.push(await find(doc, index))
  return lists
}

/** The environment with the variables of a document. */
async function scopeOf(doc: Doc, { variables }: Lookup, env: StageEnv): Promise<StageEnv> {
  let { scope } = env
  const evaluation = evaluationOf(doc, env)
  await visitEach([doc], env, () => {
    scope = env.scope
    for (const [name, expression] of variables)
      scope = { name, value: expression.evaluate(evaluation), outer: scope }
  })
  return { ...env, scope }
}

async function runOn(
  documents: readonly Doc[],
  stages: readonly Stage[],
  env: StageEnv
): Promise<Doc[]> {
  return collectAll(runStages(stages, inBatches(documents, env), env), '$lookup', env)
}

/** Without variables every document gets the same list. */
function once(lookup: Lookup, { stages }: NestedPipeline, env: StageEnv): Finder {
  let list: Promise<Doc[]> | undefined
  return async (batch) => {
    list ??= collectAll(runStages(stages, read(lookup, lookup.fixed, env), env), '$lookup', env)
    const found = await list
    return batch.map(() => found)
  }
}

function read({ db, from }: Lookup, filter: Doc | undefined, env: StageEnv): Batches {
  return toBatches(env.readCollection(db, from, filter), env)
}

/** The filter says that fields equal expressions of the variables: an index may find them. */
function byEquality(lookup: Lookup, { stages }: NestedPipeline, env: StageEnv): Finder {
  return (batch) =>
    eachDocument(batch, async (doc) => {
      const inner = await scopeOf(doc, lookup, env)
      let bound: Doc[] = []
      await visitEach([doc], inner, () => {
        bound = bindEqualities(lookup.equalities, evaluationOf(doc, inner))
      })
      const filter = joinFilters([...(lookup.fixed ? [lookup.fixed] : []), ...bound])
      return collectAll(runStages(stages, read(lookup, filter, inner), inner), '$lookup', env)
    })
}

/** Every document needs all of the other collection: it is kept when it is small. */
function byScan(lookup: Lookup, { stages }: NestedPipeline, env: StageEnv): Finder {
  let kept: readonly Doc[] | undefined
  let isTooLarge = false
  return async (batch) => {
    if (kept === undefined && !isTooLarge) {
      kept = await keepSmall(read(lookup, lookup.fixed, env))
      isTooLarge = kept === undefined
    }
    return eachDocument(batch, async (doc) => {
      const inner = await scopeOf(doc, lookup, env)
      const source = kept ? inBatches(kept, inner) : read(lookup, lookup.fixed, inner)
      return collectAll(runStages(stages, source, inner), '$lookup', env)
    })
  }
}

async function keepSmall(flow: Batches): Promise<Doc[] | undefined> {
  const documents: Doc[] = []
  let size = 0
  for await (const batch of flow) {
    for (const doc of batch) {
      size += sizeOfDoc(doc)
      documents.push(doc)
    }
    if (size > KEPT_BYTES) return undefined
  }
  return documents
}

/** One query for a whole batch; each result goes to the documents whose values it has. */
async function joined(
  batch: readonly Doc[],
  join: Join,
  lookup: Lookup,
  env: StageEnv
): Promise<Doc[][]> {
  const lists: Doc[][] = batch.map(() => [])
  const wanted = new Map<ValueKey, number[]>()
  const values: Value[] = []
  for (const [index, doc] of batch.entries()) {
    for (const value of localValues(doc, join.local)) {
      const key = valueKey(value, lookup.collation)
      const places = wanted.get(key)
      if (places === undefined) {
        wanted.set(key, [index])
        values.push(value)
      } else if (places.at(-1) !== index) places.push(index)
    }
  }
  if (values.length === 0) return lists
  const path = walkPath(join.foreign)
  const meter = new MemoryMeter('$lookup', env)
  const filter = equalsAny(join.foreign, values)
  for await (const found of read(lookup, filter, env)) {
    for (const doc of found) {
      const places = placesOf(doc, path, wanted, lookup)
      if (places.size > 0) meter.add(sizeOfDoc(doc))
      for (const index of places) lists[index]?.push(doc)
    }
  }
  return lists
}

/** Regular expressions are values here, not patterns: `$in` would match with them. */
function equalsAny(path: string, values: readonly Value[]): Doc | undefined {
  return values.some(isPattern) ? undefined : new Map([[path, new Map([['$in', [...values]]])]])
}

function isPattern(value: Value): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    '_bsontype' in value &&
    value._bsontype === 'BSONRegExp'
  )
}

/** The values that a document is joined by: each of an array; null for what is missing. */
function localValues(doc: Doc, path: readonly string[]): readonly Value[] {
  const value = valueAt(doc, path, 0)
  if (value === MISSING || value === undefined) return [null]
  return Array.isArray(value) ? value.map((element) => element ?? null) : [value]
}

function placesOf(
  doc: Doc,
  path: ReturnType<typeof walkPath>,
  wanted: ReadonlyMap<ValueKey, number[]>,
  { collation }: Lookup
): Set<number> {
  const places = new Set<number>()
  visitPath(doc, path, true, (value) => {
    const key = valueKey(value === MISSING || value === undefined ? null : value, collation)
    for (const index of wanted.get(key) ?? []) places.add(index)
    return false
  })
  return places
}
