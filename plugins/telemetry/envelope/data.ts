// The free `data` of a record: taken when small and plain, dropped whole otherwise.
import { BOUNDS, isPlainObject } from '../bounds.ts'

type Scalar = string | number | boolean | null

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= BOUNDS.dataText)

const isScalarList = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= BOUNDS.dataItems && value.every(isScalar)

function isScalarObject(value: unknown): boolean {
  if (!isPlainObject(value)) return false
  const entries = Object.values(value)
  return entries.length <= BOUNDS.dataKeys && entries.every(isScalar)
}

/**
 * The value when it is a plain object within bounds (12 keys; scalars, lists of 20 scalars, objects of
 * 12 scalars; texts of 200; 4,096 characters of JSON), else undefined. Never throws.
 */
export function boundedMeta(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return metaJson(value) === undefined ? undefined : (value as Record<string, unknown>)
}

/** The value as JSON text when `boundedMeta` takes it. */
export function metaJson(value: unknown): string | undefined {
  if (!isPlainObject(value)) return undefined
  const entries = Object.values(value)
  if (entries.length > BOUNDS.dataKeys) return undefined
  const fits = entries.every((one) => isScalar(one) || isScalarList(one) || isScalarObject(one))
  if (!fits) return undefined
  const json = JSON.stringify(value)
  return json.length <= BOUNDS.dataJson ? json : undefined
}
