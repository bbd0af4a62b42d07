// Reads attrs and metrics: declared keys only, or any key within bounds for open names.

import { BOUNDS, clipText, isAmount, isPlainObject } from '../bounds.ts'
import type { AttrSpec, MetricSpec } from '../contracts/telemetry-registry.ts'
import { encodeKey } from '../field-keys.ts'
import type { CompiledEvent } from '../registry/types.ts'
import type { Draft } from './draft.ts'

/** Fills `row.attrs`, or says why not. */
export function readAttrs(event: CompiledEvent, value: unknown, draft: Draft): string | undefined {
  if (value === undefined || value === null) return missing(event.requiredAttrs, 'attr', undefined)
  if (!isPlainObject(value)) return 'attrs must be an object'
  const attrs: Record<string, string> = {}
  let characters = 0
  let count = 0
  for (const key of Object.keys(value)) {
    const given = value[key]
    if (given === undefined || given === null) continue
    const text = asText(given)
    if (text === undefined) return `attr ${clipText(key, 100)} must be text`
    const spec = event.attrs.get(key)
    const fault = attrFault(event, key, text, spec)
    if (fault !== undefined) return fault
    if (spec === undefined && !isOpenKey(key)) continue
    const clipped = clipText(text, spec?.maxLength ?? BOUNDS.attr)
    if (clipped !== text) draft.truncated++
    characters += clipped.length
    if (characters > BOUNDS.attrsTotal || (event.isOpen && count >= BOUNDS.openAttrs)) {
      if (!event.isOpen) return `attrs exceed ${BOUNDS.attrsTotal} characters`
      draft.truncated++
      break
    }
    attrs[encodeKey(key)] = clipped
    draft.size += clipped.length + key.length + 8
    count++
  }
  if (count > 0) draft.row.attrs = attrs
  return missing(event.requiredAttrs, 'attr', attrs)
}

function attrFault(
  event: CompiledEvent,
  key: string,
  text: string,
  spec: AttrSpec | undefined
): string | undefined {
  if (spec !== undefined) return unfitAttr(key, text, spec)
  return event.isOpen ? undefined : `attr ${clipText(key, 100)} is not declared`
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

const isOpenKey = (key: string) => key.length > 0 && key.length <= BOUNDS.openKey

function unfitAttr(key: string, text: string, spec: AttrSpec): string | undefined {
  const isListed = spec.values === undefined || spec.values.includes(text)
  return isListed ? undefined : `attr ${key} must be one of ${spec.values?.join(', ')}`
}

/** Fills `row.metrics`, or says why not. */
export function readMetrics(
  event: CompiledEvent,
  value: unknown,
  draft: Draft
): string | undefined {
  if (value === undefined || value === null) {
    return missing(event.requiredMetrics, 'metric', undefined)
  }
  if (!isPlainObject(value)) return 'metrics must be an object'
  const metrics: Record<string, number> = {}
  let count = 0
  for (const key of Object.keys(value)) {
    const given = value[key]
    if (given === undefined || given === null) continue
    if (!isAmount(given)) {
      return `metric ${clipText(key, 100)} must be a number between -${BOUNDS.number} and ${BOUNDS.number}`
    }
    const spec = event.metrics.get(key)
    if (spec === undefined && !event.isOpen) return `metric ${clipText(key, 100)} is not declared`
    if (spec === undefined && (!isOpenKey(key) || count >= BOUNDS.openMetrics)) continue
    const reason = spec === undefined ? undefined : unfitMetric(key, given, spec)
    if (reason !== undefined) return reason
    metrics[encodeKey(key)] = given
    draft.size += key.length + 12
    count++
  }
  if (count > 0) draft.row.metrics = metrics
  return missing(event.requiredMetrics, 'metric', metrics)
}

function unfitMetric(key: string, value: number, spec: MetricSpec): string | undefined {
  if (spec.integer === true && !Number.isInteger(value)) return `metric ${key} must be whole`
  const { minimum = -Infinity, maximum = Infinity } = spec
  return value >= minimum && value <= maximum
    ? undefined
    : `metric ${key} must be between ${minimum} and ${maximum}`
}

function missing(
  required: readonly string[],
  word: 'attr' | 'metric',
  present: Readonly<Record<string, unknown>> | undefined
): string | undefined {
  if (required.length === 0) return undefined
  const absent = required.find((key) => present?.[encodeKey(key)] === undefined)
  return absent === undefined ? undefined : `${word} ${absent} is required`
}
