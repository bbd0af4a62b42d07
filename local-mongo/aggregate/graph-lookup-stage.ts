// $graphLookup: follows references through another collection.
import { Long } from 'bson'
import { sizeOfDoc } from '../bson/encode.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { commandError } from '../errors.ts'
import { type Expression, MISSING, type Result, unionFields } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { valueAt } from '../expressions/parse-expression.ts'
import { joinFilters } from './nested-pipeline.ts'
import { setPath } from './set-path.ts'
import { pipelineFilter } from './simple-stages.ts'
import {
  evaluationOf,
  MemoryMeter,
  mapAsync,
  type StageContext,
  type StageEnv,
  type StageParser,
  toBatches,
  visitEach
} from './stage.ts'
import { fieldOption, stageOptions, textOption, wholeOption } from './stage-options.ts'

interface GraphLookup {
  readonly db: string
  readonly from: string
  readonly as: readonly string[]
  readonly startWith: Expression
  readonly connectFrom: readonly string[]
  readonly connectTo: string
  readonly maxDepth: number
  readonly depthField: readonly string[] | undefined
  readonly restrict: Doc | undefined
  readonly collation: StageContext['collation']
}

const REQUIRED = ['from', 'as', 'startWith', 'connectFromField', 'connectToField']

export const parseGraphLookup: StageParser = (spec, context) => {
  const options = stageOptions('$graphLookup', spec, {
    required: REQUIRED,
    optional: ['maxDepth', 'depthField', 'restrictSearchWithMatch'],
    code: 'Location40327'
  })
  const lookup = readOptions(options, context)
  const fields = unionFields(lookup.startWith.fields, new Set([lookup.as[0] as string]))
  return {
    needs: (after) => unionFields(fields, after),
    run: (input, env) =>
      mapAsync(input, async (batch) => {
        const results: Doc[] = []
        for (const doc of batch)
          results.push(setPath(doc, lookup.as, await reach(doc, lookup, env)))
        return results
      })
  }
}

function readOptions(options: Doc, context: StageContext): GraphLookup {
  const from = textOption(options.get('from'), '$graphLookup argument from', 'FailedToParse')
  context.foreign.push({ db: context.db, collection: from })
  const restrict = options.get('restrictSearchWithMatch')
  if (restrict !== undefined && !isDoc(restrict)) {
    throw commandError('Location40185', 'restrictSearchWithMatch must be an object')
  }
  if (restrict) pipelineFilter(restrict, { ...context, collection: from })
  const maxDepth = options.has('maxDepth')
    ? wholeOption(options.get('maxDepth'), 'maxDepth', 'Location40100')
    : Number.POSITIVE_INFINITY
  if (maxDepth < 0)
    throw commandError(
      'Location40101',
      `maxDepth requires a nonnegative argument, found: ${maxDepth}`
    )
  return {
    db: context.db,
    from,
    as: fieldOption(options.get('as'), "$graphLookup argument 'as'").split('.'),
    startWith: parseWhole(options.get('startWith'), context.expressions),
    connectFrom: fieldOption(options.get('connectFromField'), 'connectFromField').split('.'),
    connectTo: fieldOption(options.get('connectToField'), 'connectToField'),
    maxDepth,
    depthField: options.has('depthField')
      ? fieldOption(options.get('depthField'), 'depthField').split('.')
      : undefined,
    restrict,
    collation: context.collation
  }
}

/** Breadth first, so that each document is found by its shortest way. */
async function reach(doc: Doc, lookup: GraphLookup, env: StageEnv): Promise<Doc[]> {
  const meter = new MemoryMeter('$graphLookup', env)
  const asked = new ValueSet([], lookup.collation)
  const visited = new ValueSet()
  const found: Doc[] = []
  let frontier: Value[] = []
  await visitEach([doc], env, () => {
    frontier = unasked(lookup.startWith.evaluate(evaluationOf(doc, env)), asked)
  })
  for (let depth = 0; frontier.length > 0 && depth <= lookup.maxDepth; depth++) {
    const next: Value[] = []
    for (const one of await step(frontier, lookup, env)) {
      if (!visited.add(one.get('_id'))) continue
      meter.add(sizeOfDoc(one))
      found.push(lookup.depthField ? setPath(one, lookup.depthField, Long.fromNumber(depth)) : one)
      next.push(...unasked(valueAt(one, lookup.connectFrom, 0), asked))
    }
    frontier = next
  }
  return found
}

function unasked(value: Result, asked: ValueSet): Value[] {
  if (value === MISSING) return []
  return (Array.isArray(value) ? value : [value]).filter(
    (one) => one !== undefined && asked.add(one)
  )
}

async function step(
  frontier: readonly Value[],
  { db, from, connectTo, restrict }: GraphLookup,
  env: StageEnv
): Promise<Doc[]> {
  const connected: Doc = new Map([[connectTo, new Map([['$in', [...frontier]]])]])
  const filter = joinFilters(restrict ? [connected, restrict] : [connected])
  const documents: Doc[] = []
  for await (const batch of toBatches(env.readCollection(db, from, filter), env))
    documents.push(...batch)
  return documents
}
