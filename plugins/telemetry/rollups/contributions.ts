// What one record adds to rollup documents. Pure, and computed from the stored row alone, so that a
// recount of raw rows gives the same documents.
import { createHash } from 'node:crypto'
import { escapePart, wireId } from '../envelope/record-id.ts'
import { refType } from '../envelope/refs.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledDimension, CompiledEvent, CompiledRollup } from '../registry/types.ts'
import { encodeKey } from '../storage/field-keys.ts'
import { bucketStart } from './bucket.ts'
import { systemContributions } from './system.ts'

/** Which document, and everything about it that never changes. */
export interface RollupKey {
  readonly _id: string
  readonly tenantId: string
  readonly as: string
  readonly dims: readonly string[]
  readonly subjectType: string | undefined
  /** Milliseconds; undefined on lifetime families. */
  readonly bucketAt: number | undefined
}

export interface Contribution {
  readonly key: RollupKey
  readonly at: number
  /** The wire's id: breaks ties between records of the same time. */
  readonly recordId: string
  /** Keys encoded. */
  readonly sums: Readonly<Record<string, number>> | undefined
  /** Keys encoded. undefined: the family does not keep what the first record looked like. */
  readonly capture: Readonly<Record<string, string>> | undefined
  readonly traceId: string | undefined
  /** Milliseconds. */
  readonly expiresAt: number | undefined
}

export interface Placement {
  readonly contributions: readonly Contribution[]
  /** Families that could not place the record. */
  readonly skipped: number
}

const MAX_DIM = 400
const DAY_MS = 86_400_000

/** Everything a record adds, for the families of its event and the system's own. */
export function placeRecord(event: CompiledEvent, row: StoredRow): Placement {
  const contributions: Contribution[] = systemContributions(event, row)
  let skipped = 0
  for (const rollup of event.rollups) {
    const placed = placeInFamily(rollup, row)
    if (placed === 'skipped') skipped++
    else contributions.push(...placed)
  }
  return { contributions, skipped }
}

function placeInFamily(
  rollup: CompiledRollup,
  row: StoredRow
): readonly Contribution[] | 'skipped' {
  const isLeftOut =
    rollup.actors !== undefined && row.actorType !== undefined && !rollup.actors.has(row.actorType)
  if (isLeftOut) return []
  const fixed: (string | undefined)[] = []
  for (const dimension of rollup.by) {
    if (dimension.source === 'subject') {
      fixed.push(undefined)
      continue
    }
    const value = dimensionValue(dimension, row) ?? rollup.dimDefault
    if (value === undefined) return 'skipped'
    fixed.push(`${dimension.label}=${shortDim(value)}`)
  }
  if (!rollup.hasSubject) return [contribution(rollup, row, fixed as string[], undefined)]
  const refs = (row.subjectKeys ?? []).filter((ref) => rollup.subjects.includes(refType(ref)))
  return refs.map((ref) =>
    contribution(
      rollup,
      row,
      fixed.map((dim) => dim ?? ref),
      ref
    )
  )
}

function contribution(
  rollup: CompiledRollup,
  row: StoredRow,
  dims: readonly string[],
  ref: string | undefined
): Contribution {
  const at = row.occurredAt.getTime()
  const bucketAt = rollup.bucket === undefined ? undefined : bucketStart(at, rollup.bucket)
  const { retentionDays } = rollup
  return {
    key: {
      _id: rollupId(row.tenantId, rollup.as, dims, bucketAt),
      tenantId: row.tenantId,
      as: rollup.as,
      dims,
      subjectType: ref === undefined ? undefined : refType(ref),
      bucketAt
    },
    at,
    recordId: wireId(row._id),
    sums: sumsOf(rollup.sum, row),
    capture: captureOf(rollup, row),
    traceId: row.traceId,
    expiresAt: retentionDays === undefined ? undefined : at + retentionDays * DAY_MS
  }
}

/** `<tenant>|<family>|<dims, joined by |>|<bucket as ISO, or empty>`, each part escaped. */
export function rollupId(
  tenantId: string,
  as: string,
  dims: readonly string[],
  bucketAt: number | undefined
): string {
  const parts = dims.map(escapeDim).join('|')
  return `${escapePart(tenantId)}|${as}|${parts}|${bucketAt === undefined ? '' : isoOf(bucketAt)}`
}

function escapeDim(dim: string): string {
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

/** A dimension's value; a very long one keeps its beginning and a hash, so that it stays distinct. */
function shortDim(value: string): string {
  if (value.length <= MAX_DIM) return value
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 16)
  return `${value.slice(0, MAX_DIM - 20)}…${hash}`
}

/** The value of an attr or field dimension as text, when the row has one. */
export function dimensionValue(dimension: CompiledDimension, row: StoredRow): string | undefined {
  switch (dimension.source) {
    case 'subject':
      return row.subjectKeys?.[0]
    case 'attr':
      return row.attrs?.[encodeKey(dimension.key)]
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

function sumsOf(keys: readonly string[], row: StoredRow): Record<string, number> | undefined {
  if (keys.length === 0) return undefined
  const sums: Record<string, number> = {}
  for (const key of keys) {
    const field = encodeKey(key)
    sums[field] = (key === 'durationMs' ? row.durationMs : row.metrics?.[field]) ?? 0
  }
  return sums
}

function captureOf(rollup: CompiledRollup, row: StoredRow): Record<string, string> {
  const captured: Record<string, string> = {}
  for (const dimension of rollup.capture) {
    const value = dimensionValue(dimension, row)
    if (value !== undefined) captured[encodeKey(dimension.dimension)] = value.slice(0, 500)
  }
  return captured
}
