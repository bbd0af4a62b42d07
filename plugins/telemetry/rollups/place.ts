// Adds a record to the increments of its rollups. Computed from the stored row alone, so that a recount of
// raw rows gives the same documents.
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledEvent, CompiledRollup } from '../registry/types.ts'
import { bucketStart, DAY_MS } from './bucket.ts'
import { dimensionValue, escapeDim, joinId, shortDim } from './dimension.ts'
import { addSum, type Counting, countIn, emptyIncrement, type Increment } from './increment.ts'
import { type Buckets, bucketOf, emptyBuckets, Ledger, LIFETIME, type Page } from './ledger.ts'
import { addToSystem } from './system.ts'

/** A record on its way into one family after the other: one object for all of them, as there are many. */
interface Placing extends Counting {
  readonly ledger: Ledger
  readonly page: Page
  rollup: CompiledRollup
  capture: CompiledRollup['capture']
}

/** Adds a record everywhere it counts. Returns how many families could not place it. */
export function placeRecord(ledger: Ledger, event: CompiledEvent, row: StoredRow): number {
  const at = row.occurredAt.getTime()
  const page = ledger.pageOf(row.tenantId)
  addToSystem(ledger, page, event, row, at)
  const [first] = event.rollups
  if (first === undefined) return 0
  const placing: Placing = { ledger, row, at, page, rollup: first, capture: first.capture }
  let skipped = 0
  for (const rollup of event.rollups) {
    placing.rollup = rollup
    placing.capture = rollup.capture
    if (!placeInFamily(placing)) skipped++
  }
  return skipped
}

/** Adds a record to one family alone. */
export function placeInOne(ledger: Ledger, event: CompiledEvent, row: StoredRow, as: string): void {
  const page = ledger.pageOf(row.tenantId)
  const at = row.occurredAt.getTime()
  for (const rollup of event.rollups) {
    if (rollup.as === as) placeInFamily({ ledger, row, at, page, rollup, capture: rollup.capture })
  }
}

/** Ids of every rollup document that a record is part of. */
export function rollupIdsOf(event: CompiledEvent, row: StoredRow): readonly string[] {
  const ledger = new Ledger()
  placeRecord(ledger, event, row)
  return ledger.touched.map(({ key }) => key._id)
}

/** False when a dimension has no value. A record that the family does not ask for counts as placed. */
function placeInFamily(placing: Placing): boolean {
  const { page, rollup, row, at } = placing
  const isLeftOut =
    rollup.actors !== undefined && row.actorType !== undefined && !rollup.actors.has(row.actorType)
  if (isLeftOut) return true
  const values = valuesOf(rollup, row)
  if (values === undefined) return false
  const bucketAt = rollup.bucket === undefined ? LIFETIME : bucketStart(at, rollup.bucket)
  const documents = documentsOf(page, rollup.as, bucketAt)
  if (!rollup.hasSubject) addTo(placing, documents, values, undefined, undefined)
  else placeSubjects(placing, documents, values)
  return true
}

/**
 * The values of all dimensions but the subject in one text, which tells documents of a family apart; of one
 * value that value itself. undefined when one is missing.
 */
function valuesOf({ by, dimDefault }: CompiledRollup, row: StoredRow): string | undefined {
  let values = ''
  for (const dimension of by) {
    if (dimension.source === 'subject') continue
    const value = dimensionValue(dimension, row) ?? dimDefault
    if (value === undefined) return undefined
    const short = shortDim(value)
    values = by.length === 1 ? short : `${values}${short.length} ${short}`
  }
  return values
}

const newDocuments = () => new Map<string, Increment>()

function documentsOf(page: Page, as: string, bucketAt: number): Map<string, Increment> {
  let family: Buckets<Map<string, Increment>> | undefined = page.families.get(as)
  if (family === undefined) {
    family = emptyBuckets()
    page.families.set(as, family)
  }
  return bucketOf(family, bucketAt, newDocuments)
}

/** One document for each subject of the family's types. */
function placeSubjects(placing: Placing, documents: Map<string, Increment>, values: string): void {
  const { rollup, row } = placing
  for (const ref of row.subjectKeys ?? []) {
    const type = typeAmong(rollup.subjects, ref)
    if (type !== undefined) addTo(placing, documents, values + ref, ref, type)
  }
}

function typeAmong(types: readonly string[], ref: string): string | undefined {
  for (const type of types) {
    if (ref.charCodeAt(type.length) === COLON && ref.startsWith(type)) return type
  }
  return undefined
}

const COLON = 58

function addTo(
  placing: Placing,
  documents: Map<string, Increment>,
  name: string,
  ref: string | undefined,
  subjectType: string | undefined
): void {
  const { ledger, rollup, row, at } = placing
  let increment = documents.get(name)
  if (increment === undefined) {
    increment = documentOf(placing, ref, subjectType)
    documents.set(name, increment)
    ledger.admit()
  }
  const { retentionDays, sumFields } = rollup
  const expiresAt = retentionDays === undefined ? undefined : at + retentionDays * DAY_MS
  countIn(increment, placing, expiresAt)
  for (const { key, field } of sumFields) {
    const value = key === 'durationMs' ? row.durationMs : row.metrics?.[field]
    addSum(increment, field, value ?? 0)
  }
}

function documentOf(
  { page, rollup, row, at }: Placing,
  ref: string | undefined,
  subjectType: string | undefined
): Increment {
  const dims = rollup.by.map((dimension) =>
    dimension.source === 'subject'
      ? (ref ?? '')
      : `${dimension.label}=${shortDim(dimensionValue(dimension, row) ?? rollup.dimDefault ?? '')}`
  )
  const { as, bucket } = rollup
  const bucketAt = bucket === undefined ? undefined : bucketStart(at, bucket)
  const _id = joinId(page.escaped, as, dims.map(escapeDim).join('|'), bucketAt)
  const key = { _id, tenantId: page.tenantId, as, dims, subjectType, bucketAt }
  return emptyIncrement(key)
}
