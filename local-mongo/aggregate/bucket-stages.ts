// $bucket and $bucketAuto: groups by ranges of a value.
import { Int32 } from 'bson'
import { canonicalType, compareValues } from '../bson/compare.ts'
import { sizeOfDoc } from '../bson/encode.ts'
import { type Doc, isDoc, typeCode, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import {
  type Expression,
  MISSING,
  orNull,
  type Result,
  unionFields
} from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { type ExpressionContext, parseExpression } from '../expressions/parse-expression.ts'
import { parseAccumulators, type Running } from './group-accumulators.ts'
import { type Grouping, gather, type NamedAccumulators, results } from './group-stage.ts'
import { RunSorter } from './run-sorter.ts'
import {
  type Batches,
  evaluationOf,
  inBatches,
  MemoryMeter,
  type StageEnv,
  type StageParser,
  toBatches,
  visitEach
} from './stage.ts'
import { stageOptions, wholeOption } from './stage-options.ts'

const COUNT: Doc = new Map([['count', new Map([['$sum', new Int32(1)]])]])

function outputOf(options: Doc, context: ExpressionContext): NamedAccumulators {
  const output = options.has('output') ? options.get('output') : COUNT
  if (!isDoc(output)) throw commandError('Location40196', "The 'output' field must be an object")
  return parseAccumulators(output, context)
}

function groupByOf(options: Doc, context: ExpressionContext): Expression {
  const groupBy = options.get('groupBy')
  if (typeof groupBy === 'string' ? !groupBy.startsWith('$') : !isDoc(groupBy)) {
    throw commandError(
      'Location40202',
      "The 'groupBy' field must be defined as a $-prefixed path or an expression object"
    )
  }
  return parseWhole(groupBy, context)
}

function constantOf(value: Value, context: ExpressionContext, what: string): Value {
  const { constant } = parseExpression(value, context)
  if (constant) return orNull(constant.value)
  throw commandError('Location40191', `The $bucket ${what} must be constant values`)
}

function boundariesOf(value: Value, context: ExpressionContext): Value[] {
  if (!Array.isArray(value))
    throw commandError('Location40200', "The $bucket 'boundaries' field must be an array")
  if (value.length < 2)
    throw commandError(
      'Location40192',
      "The $bucket 'boundaries' field must have at least 2 values"
    )
  const boundaries = value.map((boundary) => constantOf(boundary, context, "'boundaries'"))
  for (let i = 1; i < boundaries.length; i++) {
    const [low, high] = [boundaries[i - 1] as Value, boundaries[i] as Value]
    if (canonicalType(typeCode(low)) !== canonicalType(typeCode(high))) {
      throw commandError(
        'Location40193',
        "All values in the 'boundaries' option to $bucket must have the same type"
      )
    }
    if (compareValues(low, high, context.collation) >= 0) {
      throw commandError('Location40194', "The 'boundaries' option to $bucket must be sorted")
    }
  }
  return boundaries
}

export const parseBucket: StageParser = (spec, { expressions, collation }) => {
  const options = stageOptions('$bucket', spec, {
    required: ['groupBy', 'boundaries'],
    optional: ['default', 'output'],
    code: 'Location40201'
  })
  const groupBy = groupByOf(options, expressions)
  const boundaries = boundariesOf(options.get('boundaries'), expressions)
  const otherwise = options.has('default')
    ? { id: constantOf(options.get('default'), expressions, "'default'") }
    : undefined
  checkDefault(otherwise?.id, otherwise !== undefined, boundaries, expressions)
  const place = (value: Result): number =>
    bucketOf(value, boundaries, expressions, otherwise !== undefined)
  const grouping: Grouping = {
    fields: groupBy.fields,
    key: (env) => place(groupBy.evaluate(env)),
    id: (env) => {
      const index = place(groupBy.evaluate(env))
      return index < 0 ? (otherwise as { id: Value }).id : (boundaries[index] as Value)
    }
  }
  const accumulators = outputOf(options, expressions)
  const fields = unionFields(groupBy.fields, ...accumulators.map(([, { fields: read }]) => read))
  return {
    needs: () => fields,
    run: async function* (input, env) {
      const groups = [...(await gather(input, grouping, accumulators, env)).values()]
      groups.sort((a, b) => compareValues(a.id, b.id, collation))
      yield* inBatches(results(groups, accumulators), env)
    }
  }
}

function checkDefault(
  id: Value,
  isGiven: boolean,
  boundaries: readonly Value[],
  { collation }: ExpressionContext
): void {
  if (!isGiven) return
  const [lowest] = boundaries
  if (canonicalType(typeCode(id)) !== canonicalType(typeCode(lowest))) return
  if (
    compareValues(id, lowest, collation) < 0 ||
    compareValues(id, boundaries.at(-1), collation) >= 0
  )
    return
  throw commandError(
    'Location40199',
    "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary."
  )
}

/** The bucket whose lower boundary a value reaches and whose upper one it does not; -1 for the default. */
function bucketOf(
  value: Result,
  boundaries: readonly Value[],
  { collation }: ExpressionContext,
  hasDefault: boolean
): number {
  let low = -1
  let high = boundaries.length
  while (value !== MISSING && high - low > 1) {
    const middle = (low + high) >> 1
    if (compareValues(boundaries[middle], value, collation) <= 0) low = middle
    else high = middle
  }
  if (low >= 0 && low < boundaries.length - 1) return low
  if (hasDefault) return -1
  throw commandError(
    'Location40066',
    '$switch could not find a matching branch for an input, and no default was specified.'
  )
}

interface AutoRow {
  readonly value: Value
  readonly doc: Doc
}

export const parseBucketAuto: StageParser = (spec, { expressions, collation }) => {
  const options = stageOptions('$bucketAuto', spec, {
    required: ['groupBy', 'buckets'],
    optional: ['output', 'granularity'],
    code: 'Location40240'
  })
  if (options.has('granularity')) {
    throw commandError(
      'CommandNotSupported',
      '$bucketAuto: granularity is not supported by this engine'
    )
  }
  const groupBy = groupByOf(options, expressions)
  const buckets = wholeOption(
    options.get('buckets'),
    "The $bucketAuto 'buckets' field",
    'Location40241'
  )
  if (buckets <= 0)
    throw commandError('Location40243', "The $bucketAuto 'buckets' field must be greater than 0")
  const accumulators = outputOf(options, expressions)
  const fields = unionFields(groupBy.fields, ...accumulators.map(([, { fields: read }]) => read))
  return {
    needs: () => fields,
    run: async function* (input, env) {
      const sorter = new RunSorter<AutoRow>((a, b) => compareValues(a.value, b.value, collation))
      await sortRows(sorter, input, groupBy, env)
      const rows = [...sorter]
      const isEqual = (a: Value, b: Value) => compareValues(a, b, collation) === 0
      yield* toBatches(autoBuckets(rows, buckets, accumulators, env, isEqual), env)
    }
  }
}

async function sortRows(
  sorter: RunSorter<AutoRow>,
  input: Batches,
  groupBy: Expression,
  env: StageEnv
): Promise<void> {
  const meter = new MemoryMeter('$bucketAuto', env)
  for await (const batch of input) {
    await visitEach(batch, env, (doc) => {
      const value = orNull(groupBy.evaluate(evaluationOf(doc, env)))
      meter.add(sizeOfDoc(doc) + 64)
      sorter.add({ value, doc })
    })
  }
}

/** Buckets of about the same size; equal values stay together. */
async function* autoBuckets(
  rows: readonly AutoRow[],
  buckets: number,
  accumulators: NamedAccumulators,
  env: StageEnv,
  isEqual: (a: Value, b: Value) => boolean
): AsyncGenerator<Doc> {
  const size = Math.max(1, Math.round(rows.length / buckets))
  let start = 0
  for (let bucket = 1; start < rows.length; bucket++) {
    let end = bucket === buckets ? rows.length : Math.min(rows.length, start + size)
    const last = rows[end - 1] as AutoRow
    while (end < rows.length && isEqual((rows[end] as AutoRow).value, last.value)) end++
    const min = (rows[start] as AutoRow).value
    const max = (rows[end] ?? (rows.at(-1) as AutoRow)).value
    const id: Doc = new Map([
      ['min', min],
      ['max', max]
    ])
    const running = accumulators.map(([, spec]) => spec.start())
    const documents = rows.slice(start, end).map(({ doc }) => doc)
    await visitEach(documents, env, (doc) => feedAll(accumulators, running, doc, env))
    yield* results([{ id, running }], accumulators)
    start = end
  }
}

function feedAll(
  accumulators: NamedAccumulators,
  running: readonly Running[],
  doc: Doc,
  env: StageEnv
): void {
  const evaluation = evaluationOf(doc, env)
  const values = accumulators.map(([, { input }]) => input.evaluate(evaluation))
  for (const [index, { feed }] of running.entries()) feed(values[index] as Result, doc)
}
