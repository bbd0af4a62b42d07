// $setWindowFields and $fill: values from the neighbours of a document.

import { parseSort, type Sort } from '../bson/sort.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Expression, orNull, type Result, unionFields } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { partitionsOf } from './partitions.ts'
import { setPath } from './set-path.ts'
import {
  BATCH,
  collectAll,
  evaluationOf,
  mapEach,
  Slice,
  type Stage,
  type StageContext,
  type StageEnv,
  type StageParser,
  topField,
  visitEach
} from './stage.ts'
import { stageOptions } from './stage-options.ts'
import { PAUSE, type WindowSpec } from './window-function.ts'
import { parseWindowFunction } from './window-functions.ts'

interface Output {
  readonly path: readonly string[]
  readonly spec: WindowSpec
}

interface Windows {
  readonly name: string
  readonly by: Expression | undefined
  readonly sort: Sort | undefined
  readonly outputs: readonly Output[]
  readonly collation: StageContext['collation']
}

function sortOption(options: Doc, { collation }: StageContext): Sort | undefined {
  if (!options.has('sortBy')) return undefined
  const sortBy = options.get('sortBy')
  if (!isDoc(sortBy)) throw commandError('TypeMismatch', "the 'sortBy' must be an object")
  return parseSort(sortBy, { collation })
}

export const parseSetWindowFields: StageParser = (spec, context, name) => {
  const options = stageOptions(name, spec, {
    required: ['output'],
    optional: ['partitionBy', 'sortBy']
  })
  const sort = sortOption(options, context)
  const by = options.has('partitionBy')
    ? parseWhole(options.get('partitionBy'), context.expressions)
    : undefined
  const output = options.get('output')
  if (!isDoc(output))
    throw commandError('FailedToParse', "the 'output' of $setWindowFields must be an object")
  const outputs = [...output].map(
    ([path, value]): Output => ({
      path: path.split('.'),
      spec: readFunction(path, value, sort, context)
    })
  )
  return windowStage({ name, by, sort, outputs, collation: context.collation })
}

function readFunction(
  path: string,
  value: Value,
  sort: Sort | undefined,
  { expressions }: StageContext
): WindowSpec {
  if (!isDoc(value)) throw commandError('FailedToParse', `The field '${path}' must be an object`)
  const [name, other] = [...value.keys()].filter((key) => key !== 'window')
  if (name === undefined || other !== undefined) {
    throw commandError(
      'FailedToParse',
      `Expected exactly one window function for the field '${path}'`
    )
  }
  return parseWindowFunction(name, value.get(name), value.get('window'), { expressions, sort })
}

function windowStage(windows: Windows): Stage {
  const { by, sort, outputs, name } = windows
  const fields = unionFields(
    by?.fields ?? new Set(),
    new Set(sort?.parts.map(({ path }) => topField(path))),
    new Set(outputs.map(({ path }) => path[0] as string)),
    ...outputs.map(({ spec }) => spec.fields)
  )
  return {
    needs: (after) => unionFields(fields, after),
    run: async function* (input, env) {
      const documents = await collectAll(input, name, env)
      yield* computeAll(documents, windows, env)
    }
  }
}

/** Elements of lists that a batch may hold besides those of its last document. */
const MOST_LISTED = 4096

/** How many elements the lists of the outputs have; lists that lie deeper are not looked for. */
function listedIn(doc: Doc, outputs: readonly Output[]): number {
  let listed = 0
  for (const { path } of outputs) {
    const value = doc.get(path[0] as string)
    if (Array.isArray(value)) listed += value.length
  }
  return listed
}

/** Windows are computed while they are taken: all at once, growing lists would fill the memory. */
async function* computeAll(
  documents: readonly Doc[],
  { by, sort, outputs, collation }: Windows,
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  const slice = new Slice(env)
  let batch: Doc[] = []
  let listed = 0
  for (const partition of await partitionsOf(documents, { by, sort, collation }, env)) {
    const columns = await inputsOf(partition.documents, outputs, env)
    for (const made of computePartition(partition.documents, outputs, columns)) {
      if (made !== PAUSE) {
        batch.push(made)
        listed += listedIn(made, outputs)
      }
      const isOver = slice.isOver
      // Long lists go on at once: the longer they are kept, the longer the garbage collector works on them.
      if (isOver || batch.length >= BATCH || listed > MOST_LISTED) {
        if (batch.length > 0) yield batch
        batch = []
        listed = 0
      }
      if (isOver) await slice.pause()
    }
  }
  if (batch.length > 0) yield batch
}

/** The values of each output's inputs for each document. */
async function inputsOf(
  documents: readonly Doc[],
  outputs: readonly Output[],
  env: StageEnv
): Promise<readonly Result[][][]> {
  const columns = outputs.map(({ spec }) => spec.inputs.map((): Result[] => []))
  await visitEach(documents, env, (doc, place) => {
    const evaluation = evaluationOf(doc, env)
    for (const [index, { spec }] of outputs.entries())
      for (const [number, input] of spec.inputs.entries())
        (columns[index]?.[number] as Result[])[place] = input.evaluate(evaluation)
  })
  return columns
}

function* computePartition(
  documents: readonly Doc[],
  outputs: readonly Output[],
  columns: readonly Result[][][]
): Generator<Doc | typeof PAUSE> {
  const computed = outputs.map(({ spec }, index) =>
    spec.compute(documents, columns[index] as Result[][])[Symbol.iterator]()
  )
  for (const doc of documents) {
    let made = doc
    for (const [index, { path }] of outputs.entries()) {
      let next = computed[index]?.next().value as Value | typeof PAUSE
      while (next === PAUSE) {
        yield PAUSE
        next = computed[index]?.next().value as Value | typeof PAUSE
      }
      made = setPath(made, path, next)
    }
    yield made
  }
}

export const parseFill: StageParser = (spec, context, name) => {
  const options = stageOptions(name, spec, {
    required: ['output'],
    optional: ['partitionBy', 'partitionByFields', 'sortBy']
  })
  const sort = sortOption(options, context)
  const output = options.get('output')
  if (!isDoc(output) || output.size === 0)
    throw commandError('Location40201', "the 'output' of $fill must be a non-empty object")
  const constants: (readonly [readonly string[], Expression])[] = []
  const outputs: Output[] = []
  for (const [path, value] of output) {
    const method = fillMethod(path, value, sort)
    if (method === undefined)
      constants.push([
        path.split('.'),
        parseWhole((value as Doc).get('value'), context.expressions)
      ])
    else
      outputs.push({
        path: path.split('.'),
        spec: parseWindowFunction(method, `$${path}`, undefined, {
          expressions: context.expressions,
          sort
        })
      })
  }
  const windows = windowStage({
    name,
    by: fillPartition(options, context),
    sort,
    outputs,
    collation: context.collation
  })
  const needs = unionFields(
    ...constants.map(([path, { fields }]) => unionFields(fields, new Set(path.slice(0, 1))))
  )
  return {
    needs: (after) => windows.needs(unionFields(needs, after)),
    run: (input, env) =>
      fillConstants(outputs.length > 0 ? windows.run(input, env) : input, constants, env)
  }
}

/** The window function of a method; undefined when a value is given instead. */
function fillMethod(path: string, value: Value, sort: Sort | undefined): string | undefined {
  if (!isDoc(value) || value.has('value') === value.has('method') || value.size !== 1) {
    throw commandError(
      'Location40415',
      `$fill: the output of '${path}' must have exactly one of 'value' and 'method'`
    )
  }
  if (value.has('value')) return undefined
  const method = value.get('method')
  if (method !== 'linear' && method !== 'locf')
    throw commandError('Location6050202', "Method must be either 'locf' or 'linear'")
  if (!sort) throw commandError('FailedToParse', `$fill: the method ${method} needs a sortBy`)
  return method === 'linear' ? '$linearFill' : '$locf'
}

function fillPartition(options: Doc, { expressions }: StageContext): Expression | undefined {
  if (options.has('partitionBy') && options.has('partitionByFields')) {
    throw commandError(
      'Location6050204',
      "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'"
    )
  }
  if (options.has('partitionBy')) return parseWhole(options.get('partitionBy'), expressions)
  if (!options.has('partitionByFields')) return undefined
  return partitionByFields(options.get('partitionByFields'), expressions)
}

/** A list of fields as the expression of a document that holds them. */
export function partitionByFields(
  fields: Value,
  expressions: StageContext['expressions']
): Expression {
  if (!Array.isArray(fields) || fields.some((field) => typeof field !== 'string')) {
    throw commandError('TypeMismatch', "'partitionByFields' must be an array of strings")
  }
  const parts: Doc = new Map(fields.map((field, index) => [`f${index}`, `$${String(field)}`]))
  return parseExpression(parts, expressions)
}

async function* fillConstants(
  input: ReturnType<Stage['run']>,
  constants: readonly (readonly [readonly string[], Expression])[],
  env: StageEnv
): AsyncGenerator<readonly Doc[]> {
  yield* mapEach(input, env, (doc) =>
    constants.reduce((made, [path, expression]) => filledAt(made, path, expression, env), doc)
  )
}

function filledAt(doc: Doc, path: readonly string[], expression: Expression, env: StageEnv): Doc {
  let value: Value = doc
  for (const name of path) value = isDoc(value) ? value.get(name) : undefined
  if (value !== undefined && value !== null) return doc
  return setPath(doc, path, orNull(expression.evaluate(evaluationOf(doc, env))))
}
