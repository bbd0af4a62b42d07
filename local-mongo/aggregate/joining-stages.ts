// $unionWith, $facet and $documents: stages that bring other documents or divide into several.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING, type Result, typeOf, unionFields } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import { checkFieldName } from '../expressions/parse-expression.ts'
import { withoutVariables } from './correlation.ts'
import {
  joinFilters,
  type NestedPipeline,
  parseNested,
  runStages,
  stageList
} from './nested-pipeline.ts'
import {
  type Batches,
  collectAll,
  evaluationOf,
  inBatches,
  needsAll,
  type StageEnv,
  type StageParser,
  toBatches,
  visitEach
} from './stage.ts'
import { stageOptions, textOption } from './stage-options.ts'

export const parseUnionWith: StageParser = (spec, context) => {
  const options: Doc =
    typeof spec === 'string'
      ? new Map([['coll', spec]])
      : stageOptions('$unionWith', spec, { required: [], optional: ['coll', 'pipeline'] })
  const stages = options.has('pipeline') ? stageList(options.get('pipeline'), '$unionWith') : []
  const hasDocuments = stages[0]?.has('$documents') === true
  if (!options.has('coll') && !hasDocuments) {
    throw commandError(
      'FailedToParse',
      '$unionWith stage without explicit collection must have a pipeline with $documents as first stage'
    )
  }
  const coll = options.has('coll')
    ? textOption(options.get('coll'), "$unionWith argument 'coll'", 'FailedToParse')
    : ''
  const { db, foreign } = context
  if (coll !== '') foreign.push({ db, collection: coll })
  const nested = parseNested(stages, { ...context, collection: coll }, 'unionWith')
  return {
    needs: (after) => after,
    run: (input, env) => both(input, () => unionSource(nested, db, coll, env))
  }
}

function unionSource(
  { filters, stages, hasDocuments }: NestedPipeline,
  db: string,
  coll: string,
  env: StageEnv
): Batches {
  if (hasDocuments) return runStages(stages, inBatches([], env), env)
  const filter = joinFilters(filters.flatMap(withoutVariables))
  return runStages(stages, toBatches(env.readCollection(db, coll, filter), env), env)
}

async function* both(first: Batches, second: () => Batches): AsyncGenerator<readonly Doc[]> {
  yield* first
  yield* second()
}

export const parseFacet: StageParser = (spec, context) => {
  if (!isDoc(spec) || spec.size === 0) {
    throw commandError('Location40169', 'the $facet specification must be a non-empty object')
  }
  const facets = [...spec].map(([name, stages]) => {
    checkFieldName(name)
    if (!Array.isArray(stages))
      throw commandError(
        'Location40170',
        `arguments to $facet must be arrays, ${name} is type ${typeOf(stages)}`
      )
    return [name, parseNested(stageList(stages, '$facet'), context, 'facet').stages] as const
  })
  const needs = unionFields(
    ...facets.map(([, stages]) =>
      stages.reduceRight((after, stage) => stage.needs(after), needsAll())
    )
  )
  return {
    needs: () => needs,
    run: async function* (input, env) {
      const documents = await collectAll(input, '$facet', env)
      const result: Doc = new Map()
      for (const [name, stages] of facets) {
        result.set(
          name,
          await collectAll(runStages(stages, inBatches(documents, env), env), '$facet', env)
        )
      }
      yield [result]
    }
  }
}

const NO_DOCUMENT: Doc = new Map()

export const parseDocuments: StageParser = (spec, { expressions }) => {
  const expression = parseWhole(spec, expressions)
  return {
    needs: () => new Set(),
    run: async function* (_input, env) {
      let list: Result = MISSING
      await visitEach([NO_DOCUMENT], env, () => {
        list = expression.evaluate(evaluationOf(MISSING, env))
      })
      if (!Array.isArray(list))
        throw commandError('Location5858203', 'an array is expected in $documents')
      yield* inBatches(list.map(needDocument), env)
    }
  }
}

function needDocument(value: Value): Doc {
  if (isDoc(value)) return value
  throw commandError(
    'Location40228',
    `'newRoot' expression must evaluate to an object, but resulting value was of type ${typeOf(value)}`
  )
}
