// Adds a record to the increments of its rollups. Computed from the stored row alone, so that a recount of
// raw rows gives the same documents.
import { escapePart } from '../envelope/record-id.ts'
import { refType } from '../envelope/refs.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledEvent, CompiledRollup } from '../registry/types.ts'
import { bucketStart, DAY_MS } from './bucket.ts'
import { dimensionValue, escapeDim, joinId, shortDim } from './dimension.ts'
import { addSum, countRecord, type Increments, startIncrement } from './increment.ts'
import { addToSystem } from './system.ts'

/** A record on its way into the increments. */
interface Placing {
  readonly increments: Increments
  readonly row: StoredRow
  readonly at: number
  /** Escaped. */
  readonly tenant: string
}

/** Adds a record everywhere it counts. Returns how many families could not place it. */
export function placeRecord(increments: Increments, event: CompiledEvent, row: StoredRow): number {
  const at = row.occurredAt.getTime()
  const placing: Placing = { increments, row, at, tenant: escapePart(row.tenantId) }
  addToSystem(increments, event, row, placing.tenant, at)
  let skipped = 0
  for (const rollup of event.rollups) {
    if (!placeInFamily(placing, rollup)) skipped++
  }
  return skipped
}

/** Ids of every rollup document that a record is part of. */
export function rollupIdsOf(event: CompiledEvent, row: StoredRow): readonly string[] {
  const increments: Increments = new Map()
  placeRecord(increments, event, row)
  return [...increments.keys()]
}

/** False when a dimension has no value. A record that the family does not ask for counts as placed. */
function placeInFamily(placing: Placing, rollup: CompiledRollup): boolean {
  const { row } = placing
  const isLeftOut =
    rollup.actors !== undefined && row.actorType !== undefined && !rollup.actors.has(row.actorType)
  if (isLeftOut) return true
  const dims: string[] = []
  let subjectAt = -1
  for (const [index, dimension] of rollup.by.entries()) {
    if (dimension.source === 'subject') {
      subjectAt = index
      dims.push('')
      continue
    }
    const value = dimensionValue(dimension, row) ?? rollup.dimDefault
    if (value === undefined) return false
    dims.push(`${dimension.label}=${shortDim(value)}`)
  }
  if (subjectAt < 0) addTo(placing, rollup, dims, undefined)
  else placeSubjects(placing, rollup, dims, subjectAt)
  return true
}

/** One document for each subject of the family's types. */
function placeSubjects(
  placing: Placing,
  rollup: CompiledRollup,
  dims: readonly string[],
  subjectAt: number
): void {
  for (const ref of placing.row.subjectKeys ?? []) {
    const type = refType(ref)
    if (rollup.subjects.includes(type)) addTo(placing, rollup, dims.with(subjectAt, ref), type)
  }
}

function addTo(
  { increments, row, at, tenant }: Placing,
  rollup: CompiledRollup,
  dims: readonly string[],
  subjectType: string | undefined
): void {
  const { as, bucket, retentionDays } = rollup
  const bucketAt = bucket === undefined ? undefined : bucketStart(at, bucket)
  const only = dims.length === 1 ? dims[0] : undefined
  const joined = only === undefined ? dims.map(escapeDim).join('|') : escapeDim(only)
  const _id = joinId(tenant, as, joined, bucketAt)
  let increment = increments.get(_id)
  if (increment === undefined) {
    const key = { _id, tenantId: row.tenantId, as, dims, subjectType, bucketAt }
    increment = startIncrement(key, rollup.capture, row, at)
    increments.set(_id, increment)
  }
  countRecord(
    increment,
    row,
    at,
    retentionDays === undefined ? undefined : at + retentionDays * DAY_MS
  )
  for (const { key, field } of rollup.sumFields) {
    const value = key === 'durationMs' ? row.durationMs : row.metrics?.[field]
    addSum(increment, field, value ?? 0)
  }
}
