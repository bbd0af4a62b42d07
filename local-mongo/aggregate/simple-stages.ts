// Stages that need little: $match, $limit, $skip, $unwind, $sample, $count, and one-to-one stages.
import { Long } from 'bson'
import { sizeOfDoc } from '../bson/encode.ts'
import { numberValue } from '../bson/numbers.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type ReadFields, unionFields } from '../expressions/expression.ts'
import { type Filter, parseFilter } from '../query/filter.ts'
import type { FilterNode } from '../query/filter-node.ts'
import { setPath } from './set-path.ts'
import {
  type Batches,
  evaluationOf,
  inBatches,
  MemoryMeter,
  mapEach,
  type StageContext,
  type StageEnv,
  type StageParser,
  topField
} from './stage.ts'
import { pathOption, stageOptions, textOption, wholeOption } from './stage-options.ts'
import { TRANSFORMS, type TransformParser } from './transforms.ts'

/** Reads the filter of a `$match` or the like within a pipeline. */
export function pipelineFilter(spec: Doc, { collation, now, expressions }: StageContext): Filter {
  return parseFilter(spec, { collation, now, variables: expressions.variables })
}

/** The top-level fields that a filter reads. */
export function filterFields(node: FilterNode): ReadFields {
  switch (node.kind) {
    case 'and':
    case 'or':
      return unionFields(...node.children.map(filterFields))
    case 'not':
      return filterFields(node.child)
    case 'always':
      return new Set()
    case 'expr':
      return node.expression.fields
    case 'schema':
      return 'all'
    default:
      return new Set([topField(node.path)])
  }
}

export const parseMatch: StageParser = (spec, context) => {
  if (!isDoc(spec))
    throw commandError('Location15959', 'the match filter must be an expression in an object')
  const filter = pipelineFilter(spec, context)
  const fields = filterFields(filter.node)
  return {
    needs: (after) => unionFields(fields, after),
    run: (input, env) =>
      mapEach(input, env, (doc) => (filter.matchesDoc(doc, env.scope) ? doc : undefined))
  }
}

export const parseLimit: StageParser = (spec) => {
  const limit = wholeOption(spec, '$limit', 'Location2107201')
  if (limit <= 0) throw commandError('Location15958', 'the limit must be positive')
  return { needs: (after) => after, run: (input) => takeFirst(input, limit) }
}

/** At most so many documents; the source is left as soon as they are there. */
export async function* takeFirst(input: Batches, limit: number): AsyncGenerator<readonly Doc[]> {
  let left = limit
  for await (const batch of input) {
    yield batch.length > left ? batch.slice(0, left) : batch
    left -= batch.length
    if (left <= 0) return
  }
}

export const parseSkip: StageParser = (spec) => {
  const skip = wholeOption(spec, '$skip', 'Location5107200')
  if (skip < 0)
    throw commandError(
      'Location5107200',
      'invalid argument to $skip stage: expected a non-negative number'
    )
  return { needs: (after) => after, run: (input) => dropFirst(input, skip) }
}

async function* dropFirst(input: Batches, skip: number): AsyncGenerator<readonly Doc[]> {
  let left = skip
  for await (const batch of input) {
    if (left < batch.length) yield left > 0 ? batch.slice(left) : batch
    left = Math.max(0, left - batch.length)
  }
}

interface Unwind {
  readonly path: readonly string[]
  readonly keepsEmpty: boolean
  readonly indexPath: string | undefined
}

function unwindOptions(spec: Value): Unwind {
  if (typeof spec === 'string')
    return { path: unwindPath(spec), keepsEmpty: false, indexPath: undefined }
  const options = stageOptions('$unwind', spec, {
    required: ['path'],
    optional: ['preserveNullAndEmptyArrays', 'includeArrayIndex'],
    code: 'Location15981'
  })
  const keepsEmpty = options.get('preserveNullAndEmptyArrays') ?? false
  if (typeof keepsEmpty !== 'boolean') {
    throw commandError(
      'Location28809',
      'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage'
    )
  }
  const indexPath = options.has('includeArrayIndex')
    ? textOption(
        options.get('includeArrayIndex'),
        'includeArrayIndex option to $unwind stage',
        'Location28810'
      )
    : undefined
  if (indexPath?.startsWith('$')) {
    throw commandError(
      'Location28822',
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${indexPath}`
    )
  }
  return { path: unwindPath(options.get('path')), keepsEmpty, indexPath }
}

function unwindPath(value: Value): readonly string[] {
  if (typeof value !== 'string')
    throw commandError('Location28808', 'expected a string as the path for $unwind stage')
  if (!value.startsWith('$')) {
    throw commandError(
      'Location28818',
      `path option to $unwind stage should be prefixed with a '$': ${value}`
    )
  }
  return pathOption(value, 'path option to $unwind stage', 'Location28818').split('.')
}

export const parseUnwind: StageParser = (spec) => {
  const unwind = unwindOptions(spec)
  const fields = new Set([unwind.path[0] as string])
  return {
    needs: (after) => unionFields(fields, after),
    run: (input, env) => mapEach(input, env, (doc) => unwound(doc, unwind))
  }
}

function unwound(doc: Doc, { path, keepsEmpty, indexPath }: Unwind): readonly Doc[] {
  const value = nestedValue(doc, path)
  const withIndex = (made: Doc, index: Value) =>
    indexPath ? setPath(made, indexPath.split('.'), index) : made
  if (!Array.isArray(value)) {
    const isNothing = value === undefined || value === null
    return isNothing && !keepsEmpty ? [] : [withIndex(doc, null)]
  }
  if (value.length === 0)
    return keepsEmpty ? [withIndex(setPath(doc, path, undefined, true), null)] : []
  return value.map((element, index) =>
    withIndex(setPath(doc, path, element), Long.fromNumber(index))
  )
}

/** What a path of documents leads to; undefined when an array or anything else is in the way. */
function nestedValue(doc: Doc, path: readonly string[]): Value {
  let value: Value = doc
  for (const name of path) value = isDoc(value) ? value.get(name) : undefined
  return value
}

export const parseSample: StageParser = (spec) => {
  const options = stageOptions('$sample', spec, { required: ['size'], code: 'Location28745' })
  const size = wholeOption(options.get('size'), 'size argument to $sample', 'Location28746')
  if (size <= 0)
    throw commandError('Location28747', 'size argument to $sample must be a positive integer')
  return { needs: (after) => after, run: (input, env) => sample(input, size, env) }
}

/** A reservoir: every document ends up in it with the same chance. */
async function* sample(
  input: Batches,
  size: number,
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  const meter = new MemoryMeter('$sample', env)
  const kept: Doc[] = []
  let seen = 0
  for await (const batch of input) {
    for (const doc of batch) {
      seen++
      const place = kept.length < size ? kept.length : Math.floor(Math.random() * seen)
      if (place >= size) continue
      const replaced = kept[place]
      meter.add(sizeOfDoc(doc) - (replaced ? sizeOfDoc(replaced) : 0))
      kept[place] = doc
    }
  }
  shuffle(kept)
  yield* inBatches(kept, env)
}

function shuffle(list: Doc[]): void {
  for (let i = list.length - 1; i > 0; i--) {
    const other = Math.floor(Math.random() * (i + 1))
    ;[list[i], list[other]] = [list[other] as Doc, list[i] as Doc]
  }
}

export const parseCount: StageParser = (spec) => {
  const name = textOption(spec, 'the count field', 'Location40156')
  if (name.startsWith('$'))
    throw commandError('Location40158', 'the count field cannot be a $-prefixed path')
  if (name.includes('.')) throw commandError('Location40160', "the count field cannot contain '.'")
  if (name.includes('\0'))
    throw commandError('Location40159', 'the count field cannot contain a null byte')
  return { needs: () => new Set(), run: (input) => count(input, name) }
}

/** Nothing counted is no row. */
async function* count(input: Batches, name: string): AsyncGenerator<readonly Doc[]> {
  let total = 0
  for await (const batch of input) total += batch.length
  if (total > 0) yield [new Map([[name, numberValue(total)]])]
}

function transformStage(parser: TransformParser): StageParser {
  return (spec, context) => {
    const transform = parser(spec, context.expressions)
    return {
      needs: (after) =>
        transform.passesOthers ? unionFields(transform.reads, after) : transform.reads,
      run: (input, env) =>
        mapEach(input, env, (doc) => transform.apply(doc, evaluationOf(doc, env)))
    }
  }
}

/** $project, $set, $unset, $replaceRoot and their other names. */
export const TRANSFORM_STAGES: readonly (readonly [string, StageParser])[] = [...TRANSFORMS].map(
  ([name, parser]) => [name, transformStage(parser)]
)
