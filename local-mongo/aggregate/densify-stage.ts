// $densify: documents for the values that are missing between others.

import { Int32 } from 'bson'
import { addNumbers, multiplyNumbers } from '../bson/arithmetic.ts'
import { compareNumbers, numberValue, toDouble, toWhole } from '../bson/numbers.ts'
import { parseSort, type Sort } from '../bson/sort.ts'
import { type Doc, isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { addUnits, isTimeUnit, type TimeUnit } from '../expressions/calendar.ts'
import type { Expression } from '../expressions/expression.ts'
import { fieldOf } from '../expressions/parse-expression.ts'
import { UTC } from '../expressions/time-zone.ts'
import { type Partition, partitionsOf } from './partitions.ts'
import { setPath } from './set-path.ts'
import { collectAll, inBatches, type StageContext, type StageParser } from './stage.ts'
import { fieldOption, stageOptions } from './stage-options.ts'
import { partitionByFields } from './window-stages.ts'

type Point = Numeric | Date

interface Densify {
  readonly path: readonly string[]
  readonly partitionFields: readonly (readonly string[])[]
  readonly by: Expression | undefined
  readonly sort: Sort
  readonly step: Numeric
  readonly unit: TimeUnit | undefined
  readonly bounds: 'full' | 'partition' | readonly [Point, Point]
  readonly collation: StageContext['collation']
}

const MOST_MADE = 500_000

export const parseDensify: StageParser = (spec, context, name) => {
  const options = stageOptions(name, spec, {
    required: ['field', 'range'],
    optional: ['partitionByFields'],
    code: 'Location5733201'
  })
  const densify = readOptions(options, context)
  return {
    needs: () => 'all',
    run: async function* (input, env) {
      const documents = await collectAll(input, name, env)
      const partitions = await partitionsOf(documents, densify, env)
      yield* inBatches(densifyAll(documents, partitions, densify), env)
    }
  }
}

function readOptions(options: Doc, context: StageContext): Densify {
  const field = fieldOption(options.get('field'), '$densify: field')
  const range = stageOptions('$densify.range', options.get('range'), {
    required: ['step', 'bounds'],
    optional: ['unit']
  })
  const unit = unitOf(range)
  const fields = options.has('partitionByFields') ? options.get('partitionByFields') : []
  const by = options.has('partitionByFields')
    ? partitionByFields(fields, context.expressions)
    : undefined
  const bounds = boundsOf(range.get('bounds'), unit)
  if (bounds === 'partition' && (!Array.isArray(fields) || fields.length === 0)) {
    throw commandError(
      'Location5733408',
      "one may not specify the bounds as 'partition' without specifying a non-empty array of partitionByFields. You may have meant to specify 'full' bounds."
    )
  }
  return {
    path: field.split('.'),
    partitionFields: (fields as readonly string[]).map((name) => name.split('.')),
    by,
    sort: parseSort(new Map([[field, new Int32(1)]]), {}),
    step: stepOf(range.get('step'), unit),
    unit,
    bounds,
    collation: context.collation
  }
}

function unitOf(range: Doc): TimeUnit | undefined {
  if (!range.has('unit')) return undefined
  const unit = range.get('unit')
  if (isTimeUnit(unit)) return unit
  throw commandError('FailedToParse', "$densify: 'unit' must be a time unit")
}

function stepOf(value: Value, unit: TimeUnit | undefined): Numeric {
  if (!isNumeric(value) || toDouble(value) <= 0)
    throw commandError(
      'Location5733401',
      'the step parameter in a range statement must be a strictly positive numeric value'
    )
  if (unit !== undefined && toWhole(value) === undefined)
    throw commandError(
      'Location6586400',
      'the step parameter in a range statement must be a whole number when densifying a date range'
    )
  return value
}

function boundsOf(value: Value, unit: TimeUnit | undefined): Densify['bounds'] {
  if (value === 'full' || value === 'partition') return value
  const isPoint = (point: Value): point is Point =>
    unit === undefined ? isNumeric(point) : point instanceof Date
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isPoint)) {
    throw commandError(
      'Location5733402',
      "the bounds in a range statement must be the string 'full' or 'partition', or an ascending array of two numbers or two dates"
    )
  }
  const [low, high] = value as [Point, Point]
  if (comparePoints(low, high) > 0)
    throw commandError(
      'Location5733402',
      'the bounds in a range statement must be in ascending order'
    )
  return [low, high]
}

function comparePoints(a: Point, b: Point): number {
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  return compareNumbers(a as Numeric, b as Numeric)
}

/** The value to be made dense; undefined when the document has none. */
function pointOf(doc: Doc, { path, unit }: Densify): Point | undefined {
  const value = path.reduce<ReturnType<typeof fieldOf>>(fieldOf, doc)
  if (value === null || value === undefined || typeof value === 'symbol') return undefined
  if (unit === undefined && isNumeric(value)) return value
  if (unit !== undefined && value instanceof Date) return value
  throw commandError(
    'Location5733201',
    `PlanExecutor error during aggregation :: caused by :: Densify field type must be ${unit === undefined ? 'numeric' : 'a date'}`
  )
}

function* densifyAll(
  documents: readonly Doc[],
  partitions: readonly Partition[],
  densify: Densify
): Generator<Doc> {
  const full = densify.bounds === 'full' ? extent(documents, densify) : undefined
  const budget = { left: MOST_MADE }
  for (const partition of partitions) {
    const range =
      typeof densify.bounds === 'string'
        ? (full ?? extent(partition.documents, densify))
        : densify.bounds
    // Named bounds take their upper end in, given ones do not.
    yield* densifyPartition(partition, densify, range, typeof densify.bounds === 'string', budget)
  }
}

function extent(documents: readonly Doc[], densify: Densify): readonly [Point, Point] | undefined {
  let low: Point | undefined
  let high: Point | undefined
  for (const doc of documents) {
    const point = pointOf(doc, densify)
    if (point === undefined) continue
    if (low === undefined || comparePoints(point, low) < 0) low = point
    if (high === undefined || comparePoints(point, high) > 0) high = point
  }
  return low === undefined || high === undefined ? undefined : [low, high]
}

function* densifyPartition(
  { documents }: Partition,
  densify: Densify,
  range: readonly [Point, Point] | undefined,
  isInclusive: boolean,
  budget: { left: number }
): Generator<Doc> {
  const template = templateOf(documents[0], densify)
  const isWithin = (point: Point) =>
    range !== undefined && comparePoints(point, range[1]) < (isInclusive ? 1 : 0)
  let count = 0
  let next: Point | undefined = range?.[0]
  for (const doc of documents) {
    const point = pointOf(doc, densify)
    while (
      point !== undefined &&
      next !== undefined &&
      isWithin(next) &&
      comparePoints(next, point) < 0
    ) {
      yield made(template, next, densify, budget)
      next = after(range, ++count, densify)
    }
    if (point !== undefined && next !== undefined && comparePoints(next, point) === 0)
      next = after(range, ++count, densify)
    yield doc
  }
  while (next !== undefined && isWithin(next)) {
    yield made(template, next, densify, budget)
    next = after(range, ++count, densify)
  }
}

/** The point `count` steps from the start: counted from there, so that months do not drift. */
function after(
  range: readonly [Point, Point] | undefined,
  count: number,
  { step, unit }: Densify
): Point | undefined {
  if (range === undefined) return undefined
  const [start] = range
  if (start instanceof Date)
    return addUnits(start, unit ?? 'millisecond', toDouble(step) * count, UTC, '$densify')
  return addNumbers(start, multiplyNumbers(step, numberValue(count)))
}

/** What new documents share: the fields by which the partition was made. */
function templateOf(doc: Doc | undefined, { partitionFields }: Densify): Doc {
  let template: Doc = new Map()
  for (const path of partitionFields) {
    const value = doc ? path.reduce<ReturnType<typeof fieldOf>>(fieldOf, doc) : undefined
    if (typeof value !== 'symbol' && doc) template = setPath(template, path, value)
  }
  return template
}

function made(template: Doc, point: Point, { path }: Densify, budget: { left: number }): Doc {
  if (budget.left-- <= 0)
    throw commandError(
      'Location5897900',
      `Generated ${MOST_MADE} documents in $densify, which is over the limit`
    )
  return setPath(template, path, point)
}
