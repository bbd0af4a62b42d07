// Pipelines within stages: their leading filter is served by the collection that they read.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Batches, PipelinePlace, Stage, StageContext, StageEnv } from './stage.ts'

export interface NestedPipeline {
  /** The filters of its leading `$match` stages, as they were written. */
  readonly filters: readonly Doc[]
  /** All stages, with those of the filters. */
  readonly stages: readonly Stage[]
  /** The stages behind the filters. */
  readonly rest: readonly Stage[]
  /** Whether it brings its own documents and reads no collection. */
  readonly hasDocuments: boolean
}

const MAX_DEPTH = 20

/** The list of stages of an option; fails for anything else. */
export function stageList(value: Value, name: string): readonly Doc[] {
  if (!Array.isArray(value))
    throw commandError('TypeMismatch', `${name}: the 'pipeline' must be an array of objects`)
  return value.map((stage) => {
    if (isDoc(stage)) return stage
    throw commandError(
      'TypeMismatch',
      `${name}: each element of the 'pipeline' array must be an object`
    )
  })
}

export function parseNested(
  stages: readonly Doc[],
  context: StageContext,
  place: Exclude<PipelinePlace, 'top'>
): NestedPipeline {
  if (context.depth >= MAX_DEPTH) {
    throw commandError('Location232', 'Maximum number of nested sub-pipelines exceeded')
  }
  const inner = { ...context, depth: context.depth + 1 }
  const parsed = context.parseStages(stages, inner, place)
  const leading = stages.findIndex((stage) => !stage.has('$match'))
  const count = leading < 0 ? stages.length : leading
  return {
    filters: stages.slice(0, count).map((stage) => stage.get('$match') as Doc),
    stages: parsed,
    rest: parsed.slice(count),
    hasDocuments: stages[0]?.has('$documents') === true
  }
}

/** Stage after stage. */
export function runStages(stages: readonly Stage[], input: Batches, env: StageEnv): Batches {
  return stages.reduce((flow, stage) => stage.run(flow, env), input)
}

/** Several filters as one; undefined when there is none. */
export function joinFilters(filters: readonly Doc[]): Doc | undefined {
  const given = filters.filter(({ size }) => size > 0)
  if (given.length < 2) return given[0]
  return new Map([['$and', [...given]]])
}
