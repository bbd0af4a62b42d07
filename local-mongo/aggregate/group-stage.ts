// $group and $sortByCount.
import { Int32 } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { compareValues } from '../bson/compare.ts'
import { sizeOfValue } from '../bson/encode.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { type ValueKey, valueKey } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import {
  type Evaluation,
  type Expression,
  MISSING,
  orNull,
  type Result,
  unionFields
} from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'
import { type AccumulatorSpec, parseAccumulators, type Running } from './group-accumulators.ts'
import {
  type Batches,
  evaluationOf,
  inBatches,
  MemoryMeter,
  type Stage,
  type StageEnv,
  type StageParser,
  visitEach
} from './stage.ts'

export interface Group {
  readonly id: Value
  readonly running: readonly Running[]
}

/** How a document finds its group. */
export interface Grouping {
  readonly key: (env: Evaluation) => ValueKey
  /** The group's `_id`; asked for once. */
  readonly id: (env: Evaluation) => Value
  readonly fields: Expression['fields']
}

export type NamedAccumulators = readonly (readonly [string, AccumulatorSpec])[]

export const parseGroup: StageParser = (spec, { expressions }) => {
  if (!isDoc(spec))
    throw commandError('Location15947', "a group's fields must be specified in an object")
  if (!spec.has('_id'))
    throw commandError('Location15955', 'a group specification must include an _id')
  const fields = [...spec].filter(([name]) => name !== '_id')
  const grouping = parseGrouping(spec.get('_id'), expressions)
  return groupStage(grouping, parseAccumulators(fields, expressions))
}

export function groupStage(grouping: Grouping, accumulators: NamedAccumulators): Stage {
  const fields = unionFields(grouping.fields, ...accumulators.map(([, { fields: read }]) => read))
  return {
    needs: () => fields,
    run: async function* (input, env) {
      const groups = await gather(input, grouping, accumulators, env)
      yield* inBatches(results(groups.values(), accumulators), env)
    }
  }
}

/** Documents of fields are the usual compound ids: their values make the key without encoding. */
export function parseGrouping(id: Value, context: ExpressionContext): Grouping {
  const isCompound = isDoc(id) && id.size > 0 && ![...id.keys()][0]?.startsWith('$')
  if (isCompound) return compoundGrouping(id, context)
  const expression = parseWhole(id, context)
  return {
    fields: expression.fields,
    key: (env) => valueKey(orNull(expression.evaluate(env)), context.collation),
    id: (env) => orNull(expression.evaluate(env))
  }
}

function compoundGrouping(id: Doc, context: ExpressionContext): Grouping {
  // Read as a whole too, for the checks on names and for the ids themselves.
  const whole = parseWhole(id, context)
  const parts = [...id.values()].map((value) => parseWhole(value, context))
  return {
    fields: whole.fields,
    key: (env) => parts.map((part) => partKey(part, env, context.collation)).join(''),
    id: (env) => orNull(whole.evaluate(env))
  }
}

/** A key that says where it ends, so that several can stand behind each other. */
function partKey(part: Expression, env: Evaluation, collation: Collation | undefined): string {
  const value = part.evaluate(env)
  if (value === MISSING) return 'm;'
  const key = valueKey(value, collation)
  return typeof key === 'number' ? `${key};` : `${key.length}:${key}`
}

/** All groups, in the order in which they first appeared. */
export async function gather(
  input: Batches,
  grouping: Grouping,
  accumulators: NamedAccumulators,
  env: StageEnv
): Promise<Map<ValueKey, Group>> {
  const groups = new Map<ValueKey, Group>()
  const meter = new MemoryMeter('$group', env)
  const inputs: Result[] = []
  for await (const batch of input) {
    await visitEach(batch, env, (doc) =>
      addToGroup(groups, doc, evaluationOf(doc, env), { grouping, inputs, accumulators, meter })
    )
  }
  return groups
}

interface Gathering {
  readonly grouping: Grouping
  readonly accumulators: NamedAccumulators
  /** The values of the inputs for one document: all are there before any is taken in. */
  readonly inputs: Result[]
  readonly meter: MemoryMeter
}

function addToGroup(
  groups: Map<ValueKey, Group>,
  doc: Doc,
  env: Evaluation,
  { grouping, accumulators, inputs, meter }: Gathering
): void {
  const key = grouping.key(env)
  for (let i = 0; i < accumulators.length; i++)
    inputs[i] = (accumulators[i] as NamedAccumulators[number])[1].input.evaluate(env)
  let group = groups.get(key)
  if (group === undefined) {
    group = { id: grouping.id(env), running: accumulators.map(([, spec]) => spec.start()) }
    groups.set(key, group)
    meter.add(64 + 2 * sizeOfValue(group.id) + sizeOf(group))
  }
  for (let i = 0; i < group.running.length; i++) {
    const { accumulator, feed } = group.running[i] as Running
    const before = accumulator.size
    feed(inputs[i] as Result, doc)
    meter.add(accumulator.size - before)
  }
}

function sizeOf({ running }: Group): number {
  return running.reduce((size, { accumulator }) => size + accumulator.size, 0)
}

export function* results(groups: Iterable<Group>, accumulators: NamedAccumulators): Generator<Doc> {
  for (const { id, running } of groups) {
    const doc: Doc = new Map([['_id', id]])
    for (const [index, [name]] of accumulators.entries()) {
      doc.set(name, (running[index] as Running).accumulator.result())
    }
    yield doc
  }
}

export const parseSortByCount: StageParser = (spec, { expressions, collation }) => {
  const isExpression = isDoc(spec)
    ? [...spec.keys()][0]?.startsWith('$') === true
    : typeof spec === 'string' && spec.startsWith('$')
  if (!isExpression)
    throw commandError(
      'Location40149',
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object'
    )
  const grouping = parseGrouping(spec, expressions)
  const accumulators = parseAccumulators(
    [['count', new Map([['$sum', new Int32(1)]])]],
    expressions
  )
  return {
    needs: () => grouping.fields,
    run: async function* (input, env) {
      const groups = await gather(input, grouping, accumulators, env)
      const rows = [...results(groups.values(), accumulators)]
      rows.sort((a, b) => compareValues(b.get('count'), a.get('count'), collation))
      yield* inBatches(rows, env)
    }
  }
}
