// Checks one event's declaration and compiles it. Pure: a problem is thrown with the event's name in it.
import { Compile } from '@keelson/sdk/typebox'
import { BOUNDS, isAmount } from '../bounds.ts'
import {
  type AttrSpec,
  type EventSpec,
  KINDS,
  type MetricSpec,
  ORIGINS
} from '../contracts/telemetry-registry.ts'
import { errors } from '../errors.ts'
import { encodeKey } from '../field-keys.ts'
import { BUILTIN_PREFIX, isKey, isName, parseDimension } from './names.ts'
import { compileRollup, type RollupContext } from './rollup-check.ts'
import { isDays, MAX_DAYS, type Refuse, subjectTypes } from './settings.ts'
import type { CompiledEvent } from './types.ts'

const MAX_KEYS = 64
const MAX_ROLLUPS = 16
const MAX_ATTR_LENGTH = 4096

/** Days rows are kept when an event does not say: events and states 730, errors and spans 90, usage for ever. */
export const DEFAULT_RETENTION_DAYS = {
  event: 730,
  state: 730,
  error: 90,
  span: 90,
  usage: undefined
} as const

const SPEC_KEYS: ReadonlySet<string> = new Set([
  'kind',
  'origin',
  'subjects',
  'description',
  'attrs',
  'metrics',
  'data',
  'indexedAttrs',
  'indexedMetrics',
  'rollups',
  'retentionDays',
  'sampleRate',
  'burst',
  'durable'
])

function refuseFor(name: string): Refuse {
  return (path, problem) => {
    throw errors.TEL_REGISTRY_INVALID({ path: path === '' ? name : `${name}.${path}`, problem })
  }
}

/** Compiles one event, or throws TEL_REGISTRY_INVALID naming it. */
export function compileEvent(name: string, spec: EventSpec, isBuiltin: boolean): CompiledEvent {
  const refuse = refuseFor(name)
  checkBasics(name, spec, isBuiltin, refuse)
  const subjects = subjectTypes(spec.subjects, 'subjects', refuse)
  const attrs = keySpecs<AttrSpec>(spec.attrs, 'attrs', refuse)
  const metrics = keySpecs<MetricSpec>(spec.metrics, 'metrics', refuse)
  for (const [key, attr] of attrs) checkAttr(key, attr, refuse)
  for (const [key, metric] of metrics) checkMetric(key, metric, refuse)
  checkIndexed(spec, attrs, metrics, refuse)
  const context: RollupContext = { name, subjects, attrs, metrics, isOpen: isBuiltin, refuse }
  const specs = spec.rollups ?? []
  if (!Array.isArray(specs) || specs.length > MAX_ROLLUPS) {
    refuse('rollups', `must be a list of at most ${MAX_ROLLUPS}`)
  }
  const rollups = specs.map((rollup, index) => compileRollup(rollup, index, context))
  const twice = rollups.findIndex(
    ({ as }, index) => rollups.findIndex((one) => one.as === as) < index
  )
  if (twice >= 0) refuse(`rollups.${twice}.as`, `declares the family "${rollups[twice]?.as}" again`)
  return {
    name,
    spec,
    kind: spec.kind,
    origin: spec.origin ?? 'server',
    subjects,
    attrs,
    metrics,
    metricFields: [...metrics.keys()].map(encodeKey),
    requiredAttrs: requiredOf(attrs),
    requiredMetrics: requiredOf(metrics),
    isOpen: isBuiltin,
    dataFits: dataCheck(spec, refuse),
    rollups,
    retentionDays: daysOf(spec, refuse),
    sampleRate: rateOf(spec, refuse),
    burst: burstOf(spec, refuse),
    isDurable: spec.kind === 'usage' || spec.durable === true
  }
}

function checkBasics(name: string, spec: EventSpec, isBuiltin: boolean, refuse: Refuse): void {
  if (!isName(name)) refuse('', 'a name has 1 to 100 letters, digits and _ . : / -')
  if (!isBuiltin && name.startsWith(BUILTIN_PREFIX)) {
    refuse('', `names that start with ${BUILTIN_PREFIX} are built in`)
  }
  if (typeof spec !== 'object' || spec === null) refuse('', 'must be an object')
  const unknown = Object.keys(spec).find((key) => !SPEC_KEYS.has(key))
  if (unknown !== undefined) refuse(unknown, 'is not a known setting')
  if (!KINDS.includes(spec.kind)) refuse('kind', `must be one of ${KINDS.join(', ')}`)
  if (spec.origin !== undefined && !ORIGINS.includes(spec.origin)) {
    refuse('origin', `must be one of ${ORIGINS.join(', ')}`)
  }
}

function keySpecs<S extends object>(
  given: readonly string[] | Readonly<Record<string, S>> | undefined,
  path: 'attrs' | 'metrics',
  refuse: Refuse
): ReadonlyMap<string, S> {
  if (given === undefined) return new Map()
  if (typeof given !== 'object' || given === null) refuse(path, 'must be a list or an object')
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(given)
    ? given.map((key) => [key, {}] as const)
    : Object.entries(given)
  if (entries.length > MAX_KEYS) refuse(path, `must declare at most ${MAX_KEYS}`)
  for (const [key, spec] of entries) {
    if (!isKey(key)) refuse(path, `declares ${JSON.stringify(key)}, which is not a key`)
    if (typeof spec !== 'object' || spec === null) refuse(`${path}.${key}`, 'must be an object')
  }
  return new Map(entries as readonly (readonly [string, S])[])
}

function checkAttr(key: string, attr: AttrSpec, refuse: Refuse): void {
  const { maxLength, values } = attr
  const isLength = maxLength === undefined || (Number.isInteger(maxLength) && maxLength > 0)
  if (!isLength || (maxLength ?? 0) > MAX_ATTR_LENGTH) {
    refuse(`attrs.${key}.maxLength`, `must be between 1 and ${MAX_ATTR_LENGTH}`)
  }
  const areTexts =
    values === undefined ||
    (Array.isArray(values) && values.every((one) => typeof one === 'string'))
  if (!areTexts) refuse(`attrs.${key}.values`, 'must be a list of texts')
}

function checkMetric(key: string, { minimum, maximum }: MetricSpec, refuse: Refuse): void {
  for (const [side, bound] of Object.entries({ minimum, maximum })) {
    if (bound !== undefined && !isAmount(bound)) {
      refuse(
        `metrics.${key}.${side}`,
        `must be a number between -${BOUNDS.number} and ${BOUNDS.number}`
      )
    }
  }
  if ((minimum ?? -Infinity) > (maximum ?? Infinity)) {
    refuse(`metrics.${key}.minimum`, 'must not be over the maximum')
  }
}

function requiredOf(specs: ReadonlyMap<string, AttrSpec | MetricSpec>): readonly string[] {
  return [...specs].filter(([, spec]) => spec.required === true).map(([key]) => key)
}

function checkIndexed(
  spec: EventSpec,
  attrs: ReadonlyMap<string, unknown>,
  metrics: ReadonlyMap<string, unknown>,
  refuse: Refuse
): void {
  for (const path of ['indexedAttrs', 'indexedMetrics'] as const) {
    if (spec[path] !== undefined && !Array.isArray(spec[path]))
      refuse(path, 'must be a list of keys')
  }
  for (const key of spec.indexedAttrs ?? []) {
    if (!attrs.has(key)) refuse('indexedAttrs', `names ${key}, which attrs does not declare`)
  }
  for (const key of spec.indexedMetrics ?? []) {
    if (!metrics.has(key)) refuse('indexedMetrics', `names ${key}, which metrics does not declare`)
  }
}

function dataCheck(spec: EventSpec, refuse: Refuse): CompiledEvent['dataFits'] {
  const { data } = spec
  if (data === undefined || data === false) return undefined
  if (data === true) return () => true
  if (typeof data !== 'object' || data === null) refuse('data', 'must be true or a JSON Schema')
  try {
    const validator = Compile(data)
    return (value) => validator.Check(value)
  } catch (cause) {
    return refuse('data', `must be a JSON Schema (${(cause as Error).message})`)
  }
}

function daysOf(spec: EventSpec, refuse: Refuse): number | undefined {
  const days = spec.retentionDays
  if (days === undefined) return DEFAULT_RETENTION_DAYS[spec.kind]
  if (days === null) return undefined
  if (!isDays(days)) refuse('retentionDays', `must be null or over 0 and up to ${MAX_DAYS}`)
  return days
}

function rateOf(spec: EventSpec, refuse: Refuse): number {
  const rate = spec.sampleRate ?? 1
  if (typeof rate !== 'number' || !(rate > 0 && rate <= 1)) {
    refuse('sampleRate', 'must be over 0 and at most 1')
  }
  return rate
}

function burstOf(spec: EventSpec, refuse: Refuse): CompiledEvent['burst'] {
  if (spec.burst === undefined) return undefined
  if (typeof spec.burst !== 'object' || spec.burst === null) refuse('burst', 'must be an object')
  const { key, maxPerMinute } = spec.burst
  if (!Number.isInteger(maxPerMinute) || maxPerMinute <= 0) {
    refuse('burst.maxPerMinute', 'must be a whole number over 0')
  }
  if (key === undefined) return { key: undefined, maxPerMinute }
  const dimension = parseDimension(key)
  if (dimension === undefined) {
    return refuse('burst.key', `is ${JSON.stringify(key)}, which is not a dimension`)
  }
  return { key: dimension, maxPerMinute }
}
