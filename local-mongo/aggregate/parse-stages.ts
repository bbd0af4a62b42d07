// Reads the stages of a pipeline, and refuses those that are out of place.
import type { Doc } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import { parseBucket, parseBucketAuto } from './bucket-stages.ts'
import { parseDensify } from './densify-stage.ts'
import { parseGraphLookup } from './graph-lookup-stage.ts'
import { parseGroup, parseSortByCount } from './group-stage.ts'
import { parseDocuments, parseFacet, parseUnionWith } from './joining-stages.ts'
import { parseLookup } from './lookup-stage.ts'
import {
  parseCount,
  parseLimit,
  parseMatch,
  parseSample,
  parseSkip,
  parseUnwind,
  TRANSFORM_STAGES
} from './simple-stages.ts'
import { isSortStage, parseSortStage, sortStage } from './sort-stage.ts'
import type { PipelinePlace, Stage, StageContext, StageParser } from './stage.ts'
import { wholeOption } from './stage-options.ts'
import { parseFill, parseSetWindowFields } from './window-stages.ts'

const STAGES: ReadonlyMap<string, StageParser> = new Map<string, StageParser>([
  ...TRANSFORM_STAGES,
  ['$match', parseMatch],
  ['$limit', parseLimit],
  ['$skip', parseSkip],
  ['$sort', parseSortStage],
  ['$unwind', parseUnwind],
  ['$group', parseGroup],
  ['$count', parseCount],
  ['$sortByCount', parseSortByCount],
  ['$bucket', parseBucket],
  ['$bucketAuto', parseBucketAuto],
  ['$facet', parseFacet],
  ['$lookup', parseLookup],
  ['$graphLookup', parseGraphLookup],
  ['$unionWith', parseUnionWith],
  ['$sample', parseSample],
  ['$setWindowFields', parseSetWindowFields],
  ['$fill', parseFill],
  ['$densify', parseDensify],
  ['$documents', parseDocuments]
])
/** Stages that make documents and must be the first. */
const FIRST = new Set([
  '$documents',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$changeStream',
  '$listSessions',
  '$listLocalSessions'
])
const LAST = new Set(['$out', '$merge'])
const MOST_STAGES = 1000

/** Stages that this engine refuses, with those of search left out. */
const REFUSED = new Set(['$redact', '$geoNear', '$planCacheStats', '$listSampledQueries'])

/** Whether MongoDB has a stage of this name, served here or not. */
export function isKnownStage(name: string): boolean {
  return STAGES.has(name) || FIRST.has(name) || LAST.has(name) || REFUSED.has(name)
}

/** The name of a stage; fails unless it has exactly one. */
export function stageName(stage: Doc): string {
  const [name] = stage.keys()
  if (name !== undefined && stage.size === 1) return name
  throw commandError(
    'Location40323',
    'A pipeline stage specification object must contain exactly one field.'
  )
}

/** Fails with Location40324 for an unknown stage, and with MongoDB's codes for stages out of place. */
export function parseStages(
  stages: readonly Doc[],
  context: StageContext,
  place: PipelinePlace
): Stage[] {
  if (stages.length > MOST_STAGES) {
    throw commandError(
      'Location7749501',
      `Pipeline length must be no longer than ${MOST_STAGES} stages.`
    )
  }
  const parsed: Stage[] = []
  for (const [index, stage] of stages.entries()) {
    const name = stageName(stage)
    const problem = misplaced(name, index, place)
    if (problem) throw problem
    const parser = STAGES.get(name)
    if (parser === undefined)
      throw commandError('Location40324', `Unrecognized pipeline stage name: '${name}'`)
    addStage(parsed, parser(stage.get(name), context, name), stage)
  }
  return parsed
}

function misplaced(name: string, index: number, place: PipelinePlace): CommandError | undefined {
  if (FIRST.has(name) && (index > 0 || place === 'facet')) {
    return commandError('Location40602', `${name} is only valid as the first stage in a pipeline`)
  }
  if (FIRST.has(name) && name !== '$documents') {
    return commandError(
      'Location51047',
      `${name} is not allowed within a ${place === 'top' ? 'pipeline' : `$${place}`} of this engine`
    )
  }
  if (name === '$facet' && place === 'facet') {
    return commandError('Location40600', '$facet is not allowed to be used within a $facet stage')
  }
  if (!LAST.has(name)) return undefined
  return place === 'top'
    ? commandError('Location40601', `${name} can only be the final stage in the pipeline`)
    : commandError('Location51047', `${name} is not allowed within a $${place}'s sub-pipeline`)
}

/** A `$limit` behind a `$sort` lets the sort forget what comes later. */
function addStage(parsed: Stage[], stage: Stage, spec: Doc): void {
  const last = parsed.at(-1)
  if (last && isSortStage(last) && spec.has('$limit')) {
    parsed[parsed.length - 1] = sortStage(
      last.sort,
      wholeOption(spec.get('$limit'), '$limit', 'Location2107201')
    )
  }
  parsed.push(stage)
}
