// The values of dimensions in a row, and the texts that rollup ids are made of.
import { createHash } from 'node:crypto'
import { escapePart } from '../envelope/record-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledDimension } from '../registry/types.ts'

const MAX_DIM = 400

/** The value of an attr or field dimension as text, when the row has one. */
export function dimensionValue(dimension: CompiledDimension, row: StoredRow): string | undefined {
  switch (dimension.source) {
    case 'subject':
      return row.subjectKeys?.[0]
    case 'attr':
      return row.attrs?.[dimension.field]
    case 'field':
      return asText(dimension.path.reduce<unknown>(childOf, row))
  }
}

function childOf(value: unknown, key: string): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return isParent ? (value as Record<string, unknown>)[key] : undefined
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A dimension's value; a very long one keeps its beginning and a hash, so that it stays distinct. */
export function shortDim(value: string): string {
  if (value.length <= MAX_DIM) return value
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 16)
  return `${value.slice(0, MAX_DIM - 20)}…${hash}`
}

/** `<tenant>|<family>|<dims, joined by |>|<bucket as ISO, or empty>`, each part escaped. */
export function rollupId(
  tenantId: string,
  as: string,
  dims: readonly string[],
  bucketAt: number | undefined
): string {
  return joinId(escapePart(tenantId), as, dims.map(escapeDim).join('|'), bucketAt)
}

/** As rollupId, of parts that are escaped already. */
export function joinId(
  tenant: string,
  as: string,
  dims: string,
  bucketAt: number | undefined
): string {
  return `${tenant}|${as}|${dims}|${bucketAt === undefined ? '' : isoOf(bucketAt)}`
}

/** `key=value` with its value escaped; a ref, which has no `=` before its end, as a whole. */
export function escapeDim(dim: string): string {
  const at = dim.indexOf('=')
  return at < 0 ? escapePart(dim) : `${dim.slice(0, at)}=${escapePart(dim.slice(at + 1))}`
}

const isoCache = new Map<number, string>()

// Bucket starts repeat for a whole hour or day; making their text anew costs more than the look-up.
function isoOf(at: number): string {
  const known = isoCache.get(at)
  if (known !== undefined) return known
  if (isoCache.size > 5000) isoCache.clear()
  const text = new Date(at).toISOString()
  isoCache.set(at, text)
  return text
}
