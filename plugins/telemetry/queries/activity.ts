// Totals from the system families, with raw rows only where a range cuts an hour.

import { startOf } from '@keelson/sdk/zoned-time'
import type { Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { encodeKey } from '../field-keys.ts'
import { DAILY, HOURLY } from '../rollups/system.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { ActivityGroup, ActivityResult } from '../schemas/reads.ts'
import { cutRange, type Piece } from './activity-pieces.ts'
import { ROW_WEIGHT } from './measure.ts'
import type { Reader } from './reader.ts'
import { rowFilter, scopeFilter } from './row-filter.ts'
import { type Found, gapsOf, MAX_TIME_MS } from './row-source.ts'
import { decodeKeys } from './show-rollup.ts'
import { bucketOfRow, checkBuckets } from './time-buckets.ts'
import { type ActivityParams, QueryError } from './types.ts'

/** Documents of one piece that are read at most. */
const MAX_DOCUMENTS = 50_000
const GROUPS = ['tenantId', 'kind', 'name', 'service'] as const
type Facts = Readonly<Record<(typeof GROUPS)[number], string>>

interface Part {
  readonly facts: Facts
  readonly at: number
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
}

export async function readActivity(
  reader: Reader,
  scope: string,
  params: ActivityParams
): Promise<ActivityResult> {
  const { from, to, groupBy = [] } = params
  if (!(from < to)) throw new QueryError('invalid time range')
  checkBuckets(params, params)
  if (!groupBy.every((one) => GROUPS.includes(one))) {
    throw new QueryError(`groupBy must be of ${GROUPS.join(', ')}`)
  }
  const pieces = cutRange(from.getTime(), to.getTime(), params, reader.now().getTime())
  const parts = await Promise.all(
    pieces.map((piece) =>
      piece.source === 'raw'
        ? readRawPiece(reader, scope, params, piece)
        : readSystemPiece(reader, scope, params, piece)
    )
  )
  const missing = parts.flatMap((part) => part.missing)
  return {
    groups: joinParts(
      parts.flatMap((part) => part.items),
      params
    ),
    truncated: parts.some(({ items }) => items.length > MAX_DOCUMENTS) || missing.length > 0,
    ...gapsOf(missing),
    dataSource: pieces.some(({ source }) => source === 'raw') ? 'raw+rollups' : 'rollups'
  }
}

async function readSystemPiece(
  { rollups }: Reader,
  scope: string,
  params: ActivityParams,
  piece: Piece
): Promise<Found<Part>> {
  const found = await rollups
    .find(systemFilter(scope, params, piece))
    .project<Pick<StoredRollup, 'tenantId' | 'dims' | 'bucketAt' | 'count' | 'sums'>>({
      _id: 0,
      tenantId: 1,
      dims: 1,
      bucketAt: 1,
      count: 1,
      sums: 1
    })
    .limit(MAX_DOCUMENTS + 1)
    .maxTimeMS(MAX_TIME_MS)
    .toArray()
  const items = found.map(({ tenantId, dims, bucketAt, count, sums }) => ({
    facts: factsOf(tenantId, dims),
    at: bucketAt?.getTime() ?? 0,
    count,
    sums: decodeKeys(sums)
  }))
  return { items, missing: [] }
}

export function systemFilter(scope: string, params: ActivityParams, piece: Piece): Document {
  const wanted = (['kind', 'name', 'service'] as const).flatMap((key) =>
    params[key] === undefined ? [] : [`${key}=${params[key]}`]
  )
  return {
    ...scopeFilter(scope),
    as: piece.source === 'daily' ? DAILY : HOURLY,
    bucketAt: { $gte: new Date(piece.from), $lt: new Date(piece.to) },
    ...(wanted.length > 0 && { dims: { $all: wanted } })
  }
}

function factsOf(tenantId: string, dims: readonly string[]): Facts {
  const values = dims.map((dim) => dim.slice(dim.indexOf('=') + 1))
  return { tenantId, kind: values[0] ?? '', name: values[1] ?? '', service: values[2] ?? '' }
}

/** Mostly less than an hour, so that raw rows are few. */
async function readRawPiece(
  reader: Reader,
  scope: string,
  params: ActivityParams,
  piece: Piece
): Promise<Found<Part>> {
  const { kind, name, service, interval = 'hour', timeZone } = params
  const range = { from: new Date(piece.from), to: new Date(piece.to) }
  const filters = {
    ...(kind !== undefined && { kind }),
    ...(name !== undefined && { name }),
    ...(service !== undefined && { service })
  }
  const sums = sumFields(reader)
  const { items: found, missing } = await reader.rows.aggregate<Document>([
    { $match: rowFilter(scope, range, filters) },
    {
      $group: {
        _id: {
          tenantId: '$tenantId',
          kind: '$kind',
          name: '$name',
          service: '$service',
          at: bucketOfRow(interval, timeZone)
        },
        count: { $sum: ROW_WEIGHT },
        ...Object.fromEntries(sums.map(([alias, field]) => [alias, { $sum: `$${field}` }]))
      }
    },
    { $limit: MAX_DOCUMENTS + 1 }
  ])
  const items = found.map((group) => ({
    facts: group['_id'] as Facts,
    at: (group['_id'] as { at: Date }).at.getTime(),
    count: Math.round(group['count'] as number),
    sums: decodeKeys(
      Object.fromEntries(
        sums.map(([alias, field]) => [field.replace('metrics.', ''), group[alias] as number])
      )
    )
  }))
  return { items, missing }
}

/** Every summed measure of the registry: an alias that is a plain name, and the row's field. */
function sumFields(reader: Reader): readonly (readonly [string, keyof StoredRow | string])[] {
  const keys = new Set<string>()
  for (const event of reader.registry().events.values()) {
    for (const key of event.metrics.keys()) keys.add(encodeKey(key))
  }
  const metrics = [...keys].map((key, index) => [`m${index}`, `metrics.${key}`] as const)
  return [['durationMs', 'durationMs'], ...metrics]
}

/** A group that is still being added to. */
interface OpenGroup extends Omit<ActivityGroup, 'count' | 'sums'> {
  count: number
  readonly sums: Record<string, number>
}

function joinParts(parts: readonly Part[], params: ActivityParams): readonly ActivityGroup[] {
  const { groupBy = [], interval, timeZone } = params
  const groups = new Map<string, OpenGroup>()
  for (const part of parts) {
    const at = interval === undefined ? undefined : startOf(part.at, interval, timeZone)
    const group = Object.fromEntries(groupBy.map((key) => [key, part.facts[key]]))
    const key = JSON.stringify([at, ...groupBy.map((name) => part.facts[name])])
    const known: OpenGroup = groups.get(key) ?? {
      group,
      ...(at !== undefined && { at: new Date(at) }),
      count: 0,
      sums: {}
    }
    groups.set(key, known)
    known.count += part.count
    for (const [name, value] of Object.entries(part.sums)) {
      if (value !== 0) known.sums[name] = (known.sums[name] ?? 0) + value
    }
  }
  return [...groups]
    .sort(
      ([oneKey, one], [otherKey, other]) =>
        (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0) ||
        other.count - one.count ||
        (oneKey < otherKey ? -1 : 1)
    )
    .map(([, group]) => group)
}
