// Values of OTLP messages in their JSON form: attributes, times, ids.
import { BOUNDS, isPlainObject } from '../bounds.ts'
import { jsonWithin } from './json-within.ts'

const MAX_DEPTH = 20

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(value) ? value : {}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Adds a list of key-values as texts; a key that is there already stays as it is. */
export function addAttributes(into: Map<string, string>, keyValues: unknown): void {
  for (const keyValue of listOf(keyValues)) {
    const { key, value } = objectOf(keyValue)
    if (typeof key !== 'string' || key === '' || into.has(key)) continue
    const text = anyText(value)
    if (text !== undefined) into.set(key, text)
  }
}

/** An AnyValue as text: scalars as they are, lists and maps as JSON that fits. undefined when it is empty. */
export function anyText(value: unknown, maxLength: number = BOUNDS.attr): string | undefined {
  const plain = plainOf(value, 0)
  if (plain === undefined) return undefined
  return typeof plain === 'string' ? plain : jsonWithin(plain, maxLength)
}

/** An AnyValue as plain JSON. Integers beyond what a number holds become text. */
export function plainOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return '…'
  const any = objectOf(value)
  if (any['stringValue'] !== undefined) return String(any['stringValue'])
  if (any['boolValue'] !== undefined) return any['boolValue'] === true
  if (any['intValue'] !== undefined) return integerOf(any['intValue'])
  if (any['doubleValue'] !== undefined) return doubleOf(any['doubleValue'])
  if (any['arrayValue'] !== undefined) {
    return listOf(objectOf(any['arrayValue'])['values']).map(
      (one) => plainOf(one, depth + 1) ?? null
    )
  }
  if (any['kvlistValue'] !== undefined) {
    const entries = listOf(objectOf(any['kvlistValue'])['values']).map((one) => {
      const { key, value: inner } = objectOf(one)
      return [textOf(key), plainOf(inner, depth + 1) ?? null] as const
    })
    return Object.fromEntries(entries)
  }
  return bytesOf(any['bytesValue'])
}

/** Base64, also of a Buffer that was written as JSON; anything else is left out. */
function bytesOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const { type, data } = objectOf(value)
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data).toString('base64') : undefined
}

/** The number of an enum: as JSON should have it, or by its name without the prefix; 0 when it is neither. */
export function enumOf(value: unknown, prefix: string, names: readonly string[]): number {
  if (typeof value === 'string' && value.startsWith(prefix))
    return Math.max(0, names.indexOf(value.slice(prefix.length)))
  const number = Number(value ?? 0)
  return Number.isInteger(number) ? number : 0
}

function integerOf(value: unknown): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

function doubleOf(value: unknown): number | string {
  const number = Number(value)
  return Number.isFinite(number) ? number : String(value)
}

/** A number of a data point, which JSON may hold as text. */
export function numberOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** Nanoseconds since 1970, or undefined when unset. */
export function nanosOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value === 0n ? undefined : value
  const isDigits = typeof value === 'string' && /^\d{1,20}$/.test(value)
  const isWhole = typeof value === 'number' && Number.isFinite(value) && value > 0
  if (!isDigits && !isWhole) return undefined
  const nanos = BigInt(isWhole ? Math.trunc(value as number) : (value as string))
  return nanos === 0n ? undefined : nanos
}

/** Nanoseconds past the millisecond; undefined when there are none. */
export function nanosPast(nanos: bigint | undefined): number | undefined {
  const past = Number((nanos ?? 0n) % 1_000_000n)
  return past === 0 ? undefined : past
}

/** Milliseconds of nanoseconds, rounded down. */
export const millisOf = (nanos: bigint): number => Number(nanos / 1_000_000n)

/** A hex id of that many digits in lower case; undefined when it is none or all zeros. */
export function hexId(value: unknown, digits: 32 | 16): string | undefined {
  if (typeof value !== 'string' || value.length !== digits) return undefined
  const lower = value.toLowerCase()
  return /^[0-9a-f]+$/.test(lower) && !/^0+$/.test(lower) ? lower : undefined
}
