// Recounts rollups from raw rows the plain way, with nothing of the code that writes them.
import type { Binary, Db } from 'mongodb'
import { decodeKey } from '../field-keys.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function floor(at: number, bucket: string): number {
  const date = new Date(at)
  switch (bucket) {
    case 'hour':
      return at - (at % HOUR)
    case 'day':
      return at - (at % DAY)
    case 'week': {
      const day = at - (at % DAY)
      return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY
    }
    default:
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
}

interface PlainFamily {
  readonly as: string
  readonly by: readonly string[]
  readonly bucket?: string
  readonly sum?: readonly string[]
  readonly capture?: readonly string[]
  readonly dimDefault?: string
}

interface PlainEvent {
  readonly subjects?: readonly string[]
  readonly rollups?: readonly PlainFamily[]
}

// biome-ignore lint/suspicious/noExplicitAny: stored documents, read without their types on purpose
type Row = any

const valueAt = (row: Row, dimension: string): string | undefined => {
  const [source, ...rest] = dimension.split(':')
  const path = rest.join(':')
  if (source === 'attr') {
    const found = Object.entries(row.attrs ?? {}).find(([key]) => decodeKey(key) === path)
    return found?.[1] as string | undefined
  }
  return path.split('.').reduce((value, key) => value?.[key], row)
}

const metricAt = (row: Row, key: string): number =>
  key === 'durationMs' ? (row.durationMs ?? 0) : (row.metrics?.[key] ?? 0)

/** Documents by a readable key, in a form that can be compared with `storedRollups`. */
export async function recount(db: Db, registry: object): Promise<Map<string, object>> {
  const rows: Row[] = await db.collection('telemetry').find().toArray()
  const events = registry as Readonly<Record<string, PlainEvent | undefined>>
  const groups = new Map<string, { family: PlainFamily | undefined; rows: Row[] }>()
  const put = (key: string, family: PlainFamily | undefined, row: Row) => {
    const group = groups.get(key) ?? { family, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  for (const row of rows) {
    const at = row.occurredAt.getTime()
    const own = `kind=${row.kind},name=${row.name},service=${row.service}`
    put(`${row.tenantId} $hourly ${own} ${floor(at, 'hour')}`, undefined, row)
    put(`${row.tenantId} $daily ${own} ${floor(at, 'day')}`, undefined, row)
    const event = events[row.name]
    for (const family of event?.rollups ?? []) {
      const bucket = family.bucket === undefined ? '' : floor(at, family.bucket)
      const [by] = family.by
      const dims =
        by === 'subject'
          ? (row.subjectKeys ?? []).filter((ref: string) =>
              event?.subjects?.includes(ref.split(':')[0] ?? '')
            )
          : [valueAt(row, by ?? '') ?? family.dimDefault]
              .filter((value) => value !== undefined)
              .map((value) => `${by?.slice(by.indexOf(':') + 1)}=${value}`)
      for (const dim of dims) put(`${row.tenantId} ${family.as} ${dim} ${bucket}`, family, row)
    }
  }
  return new Map(
    [...groups].map(([key, { family, rows: members }]) => [key, describe(family, members)])
  )
}

// As the database orders binary values.
const compareBinary = (a: Binary, b: Binary): number =>
  a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value())

function describe(family: PlainFamily | undefined, rows: Row[]): object {
  const inOrder = [...rows].sort(
    (a, b) => a.occurredAt - b.occurredAt || compareBinary(a._id, b._id)
  )
  const first = inOrder[0]
  const base = {
    count: rows.length,
    firstAt: first.occurredAt.toISOString(),
    lastAt: inOrder.at(-1).occurredAt.toISOString()
  }
  if (family === undefined) return base
  const captured = (family.capture ?? [])
    .map((dimension) => [dimension, valueAt(first, dimension)] as const)
    .filter(([, value]) => value !== undefined)
  return {
    ...base,
    sums: Object.fromEntries(
      (family.sum ?? []).map((key) => [
        key,
        round(rows.reduce((sum, row) => sum + metricAt(row, key), 0))
      ])
    ),
    capture: Object.fromEntries(captured),
    trace: first.traceId ?? null
  }
}

const round = (value: number) => Number(value.toPrecision(10))

/** What the rollups collection holds, in the form of `recount`. */
export async function storedRollups(db: Db): Promise<Map<string, object>> {
  const documents: Row[] = await db.collection('telemetry_rollups').find().toArray()
  return new Map(
    documents.map((one) => {
      const isSystem = one.as.startsWith('$')
      const key = `${one.tenantId} ${one.as} ${one.dims.join(',')} ${one.bucketAt?.getTime() ?? ''}`
      const base = {
        count: one.count,
        firstAt: one.firstAt.toISOString(),
        lastAt: one.lastAt.toISOString()
      }
      if (isSystem) return [key, base]
      const decoded = (record: Record<string, unknown> | undefined) =>
        Object.fromEntries(
          Object.entries(record ?? {}).map(([field, value]) => [decodeKey(field), value])
        )
      const sums = Object.fromEntries(
        Object.entries(decoded(one.sums)).map(([field, value]) => [field, round(value as number)])
      )
      return [
        key,
        { ...base, sums, capture: decoded(one.firstCapture), trace: one.firstTraceId ?? null }
      ]
    })
  )
}

/** Keys whose two sides differ; empty when every rollup is a recount of the rows. */
export async function differences(db: Db, registry: object): Promise<readonly string[]> {
  const [counted, stored] = [await recount(db, registry), await storedRollups(db)]
  const keys = new Set([...counted.keys(), ...stored.keys()])
  return [...keys]
    .filter(
      (key) => JSON.stringify(sorted(counted.get(key))) !== JSON.stringify(sorted(stored.get(key)))
    )
    .map(
      (key) => `${key}: ${JSON.stringify(counted.get(key))} / ${JSON.stringify(stored.get(key))}`
    )
}

const sorted = (value: object | undefined): unknown =>
  value === undefined
    ? null
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) => [key, typeof one === 'object' && one !== null ? sorted(one) : one])
      )
