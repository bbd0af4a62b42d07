// Checks one rollup's declaration and compiles it.

import { BUCKETS, type RollupSpec } from '../contracts/telemetry-registry.ts'
import { encodeKey } from '../field-keys.ts'
import { isName, isSubjectType, parseDimension } from './names.ts'
import { isDays, type Refuse, subjectTypes } from './settings.ts'
import type { CompiledDimension, CompiledRollup } from './types.ts'

const MAX_DIMENSIONS = 5
const MAX_CAPTURES = 10

const ROLLUP_KEYS: ReadonlySet<string> = new Set([
  'as',
  'by',
  'subjects',
  'actors',
  'bucket',
  'sum',
  'capture',
  'dimDefault',
  'retentionDays',
  'label',
  'labels',
  'description'
])

/** What a rollup may refer to. */
export interface RollupContext {
  readonly name: string
  readonly subjects: readonly string[]
  readonly attrs: ReadonlyMap<string, unknown>
  readonly metrics: ReadonlyMap<string, unknown>
  /** Any attribute may be named. */
  readonly isOpen: boolean
  readonly refuse: Refuse
}

/** Compiles one rollup, or throws TEL_REGISTRY_INVALID naming its event. */
export function compileRollup(
  spec: RollupSpec,
  index: number,
  context: RollupContext
): CompiledRollup {
  const at = `rollups.${index}`
  const refuse: Refuse = (path, problem) => context.refuse(`${at}.${path}`, problem)
  if (typeof spec !== 'object' || spec === null) context.refuse(at, 'must be an object')
  const unknown = Object.keys(spec).find((key) => !ROLLUP_KEYS.has(key))
  if (unknown !== undefined) refuse(unknown, 'is not a known setting')
  const as = spec.as ?? context.name
  if (!isName(as)) refuse('as', 'a family has 1 to 100 letters, digits and _ . : / -')
  if (spec.bucket !== undefined && !BUCKETS.includes(spec.bucket)) {
    refuse('bucket', `must be one of ${BUCKETS.join(', ')}`)
  }
  const by = dimensions(spec.by, 'by', context, refuse)
  const hasSubject = by.some((dimension) => dimension.source === 'subject')
  const capture = captures(spec, context, refuse)
  const sum = sumsOf(spec, context, refuse)
  return {
    as,
    by,
    hasSubject,
    subjects: fanOut(spec, hasSubject, context, refuse),
    actors: actorsOf(spec, refuse),
    bucket: spec.bucket,
    sum,
    sumFields: sum.map((key) => ({ key, field: encodeKey(key) })),
    capture,
    dimDefault: dimDefaultOf(spec, refuse),
    retentionDays: daysOf(spec, refuse),
    label: spec.label,
    labels: spec.labels,
    description: spec.description
  }
}

function dimensions(
  given: unknown,
  path: string,
  context: RollupContext,
  refuse: Refuse
): readonly CompiledDimension[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_DIMENSIONS) {
    return refuse(path, `must be a list of 1 to ${MAX_DIMENSIONS} dimensions`)
  }
  const parsed = given.map((text: unknown) => dimensionOf(text, path, context, refuse))
  for (const [at, { dimension }] of parsed.entries()) {
    if (parsed.findIndex((one) => one.dimension === dimension) < at) {
      refuse(path, `may name ${dimension} once`)
    }
  }
  return parsed
}

function dimensionOf(
  text: unknown,
  path: string,
  context: RollupContext,
  refuse: Refuse
): CompiledDimension {
  const dimension = parseDimension(text)
  if (dimension === undefined) {
    return refuse(path, `holds ${JSON.stringify(text)}, which is no dimension`)
  }
  const isMissing =
    dimension.source === 'attr' && !context.isOpen && !context.attrs.has(dimension.key)
  if (isMissing) refuse(path, `names ${dimension.dimension}, which attrs does not declare`)
  return dimension
}

function captures(
  spec: RollupSpec,
  context: RollupContext,
  refuse: Refuse
): readonly CompiledDimension[] {
  if (spec.capture === undefined) return []
  if (!Array.isArray(spec.capture) || spec.capture.length > MAX_CAPTURES) {
    refuse('capture', `must be a list of at most ${MAX_CAPTURES} dimensions`)
  }
  const parsed = spec.capture.map((text) => dimensionOf(text, 'capture', context, refuse))
  if (parsed.some((dimension) => dimension.source === 'subject')) {
    refuse('capture', 'cannot hold subject')
  }
  return parsed
}

function fanOut(
  spec: RollupSpec,
  hasSubject: boolean,
  context: RollupContext,
  refuse: Refuse
): readonly string[] {
  const own = subjectTypes(spec.subjects, 'subjects', refuse)
  if (!hasSubject) return own
  const types = spec.subjects === undefined ? context.subjects : own
  if (types.length === 0) {
    refuse('subjects', 'must name the subject types that a subject dimension counts')
  }
  return types
}

function actorsOf(spec: RollupSpec, refuse: Refuse): ReadonlySet<string> | undefined {
  if (spec.actors === undefined) return undefined
  if (!Array.isArray(spec.actors) || spec.actors.length === 0) {
    refuse('actors', 'must name at least one actor type, or be left out')
  }
  if (!spec.actors.every(isSubjectType)) refuse('actors', 'holds what is no actor type')
  return new Set(spec.actors)
}

function sumsOf(spec: RollupSpec, context: RollupContext, refuse: Refuse): readonly string[] {
  const keys = spec.sum ?? []
  if (!Array.isArray(keys)) refuse('sum', 'must be a list of metrics')
  for (const key of keys) {
    if (key !== 'durationMs' && !context.metrics.has(key)) {
      refuse('sum', `names ${JSON.stringify(key)}, which metrics does not declare`)
    }
  }
  return keys
}

function dimDefaultOf(spec: RollupSpec, refuse: Refuse): string | undefined {
  const value = spec.dimDefault
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > 100 || /[|=]/.test(value)) {
    refuse('dimDefault', 'must be 1 to 100 characters without | and =')
  }
  return value
}

function daysOf(spec: RollupSpec, refuse: Refuse): number | undefined {
  const days = spec.retentionDays ?? undefined
  if (days !== undefined && !isDays(days)) refuse('retentionDays', 'must be null or over 0')
  return days
}
