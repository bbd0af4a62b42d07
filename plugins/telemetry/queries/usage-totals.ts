// Usage added up: quantities by unit and money by currency, for each meter, person or attribute.

import type { Decimal128, Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { UsageTotal, UsageTotalsResult } from '../schemas/reads.ts'
import { BREAKDOWN_FIELDS, breakdownField, MAX_GROUPS } from './breakdown.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rowFilter } from './row-filter.ts'
import { gapsOf } from './row-source.ts'
import type { TimeRange } from './types.ts'

export interface UsageTotalsParams extends TimeRange {
  readonly filters?: RecordFilters
  /** As of a breakdown: `meter`, `billedTo`, `subject`, `attr:model`, … */
  readonly by: string
  /** Metrics to add up; at most 8. */
  readonly sums?: readonly string[]
  readonly limit?: number
}

/** Metrics that one answer adds up. */
export const MAX_SUMS = 8
const PERSONS: ReadonlySet<string> = new Set([BREAKDOWN_FIELDS.subject, BREAKDOWN_FIELDS.billedTo])

interface Part {
  readonly _id: {
    readonly v?: unknown
    readonly tenant?: string
    readonly unit?: string
    readonly currency?: string
  }
  readonly count: number
  readonly unbilled: number
  readonly quantity: number
  readonly amount?: Decimal128 | number
  readonly priced: number
  readonly sums: readonly number[]
}

/** Decides the order of groups with the same count. */
const nameOf = ({ value, tenantId }: UsageTotal): string => `${value ?? ''}\n${tenantId ?? ''}`

export async function readUsageTotals(
  { rows, limits }: Reader,
  scope: string,
  params: UsageTotalsParams
): Promise<UsageTotalsResult> {
  const limit = clampLimit(params.limit, MAX_GROUPS)
  const cap = limits.distribution
  const sums = (params.sums ?? []).slice(0, MAX_SUMS)
  const read = await rows.aggregateNewest<Document>(
    usagePipeline(scope, { ...params, sums }, cap),
    (one) => Number(one['count'])
  )
  const { items: found, missing, isCut } = read
  const groups = new Map<string, Part[]>()
  const parts = found.map(
    (one) => ({ ...one, sums: sums.map((_, at) => Number(one[`s${at}`])) }) as unknown as Part
  )
  for (const part of parts) {
    const group = JSON.stringify([part._id.tenant, groupValue(part)])
    groups.set(group, [...(groups.get(group) ?? []), part])
  }
  const all = [...groups.values()].map((some) => describe(some, sums))
  const total = addUp(parts, sums)
  return {
    groups: all
      .sort((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1))
      .slice(0, limit),
    values: all.length,
    total,
    truncated: isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

const groupValue = ({ _id: { v } }: Part) => (typeof v === 'string' ? v : null)

/** The parts of one group, at least one. */
function describe(parts: readonly Part[], metrics: readonly string[]): UsageTotal {
  const [first] = parts
  const tenantId = first?._id.tenant
  return {
    value: first === undefined ? null : groupValue(first),
    ...(tenantId !== undefined && { tenantId }),
    ...addUp(parts, metrics)
  }
}

function addUp(parts: readonly Part[], metrics: readonly string[]): UsageTotalsResult['total'] {
  const quantities: Record<string, number> = {}
  const amounts: Record<string, string> = {}
  for (const { _id, quantity, amount, priced } of parts) {
    const unit = _id.unit ?? ''
    if (unit !== '') quantities[unit] = (quantities[unit] ?? 0) + quantity
    if (priced > 0) {
      const currency = _id.currency ?? ''
      amounts[currency] = addDecimals(amounts[currency] ?? '0', String(amount))
    }
  }
  const total = (read: (part: Part) => number) => parts.reduce((sum, one) => sum + read(one), 0)
  return {
    count: total(({ count }) => count),
    unbilled: total(({ unbilled }) => unbilled),
    quantities,
    amounts,
    sums: Object.fromEntries(metrics.map((key, at) => [key, total(({ sums }) => sums[at] ?? 0)]))
  }
}

/** Adds two decimal texts without rounding. Takes exponents, as the database may write them. */
export function addDecimals(a: string, b: string): string {
  const parts = [a, b].map((text) => {
    const match = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(text)
    if (match === null) throw new RangeError(`${text} is no decimal`)
    const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match
    return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length - +exponent }
  })
  const scale = Math.max(0, ...parts.map((part) => part.scale))
  const sum = parts.reduce(
    (total, part) => total + part.digits * 10n ** BigInt(scale - part.scale),
    0n
  )
  const text = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  const at = text.length - scale
  const fraction = text.slice(at).replace(/0+$/, '')
  return `${sum < 0n ? '-' : ''}${text.slice(0, at)}${fraction === '' ? '' : `.${fraction}`}`
}

/** One document a group, unit and currency of the newest usage rows, up to the cap. */
export function usagePipeline(scope: string, params: UsageTotalsParams, cap: number): Document[] {
  const field = breakdownField(params.by)
  const filters = { ...params.filters, kind: 'usage' }
  const isUnbilled = { $eq: ['$usage.billable', false] }
  const sums = Object.fromEntries(
    (params.sums ?? []).map((key, at) => [`s${at}`, { $sum: `$metrics.${encodeKey(key)}` }])
  )
  return [
    { $match: rowFilter(scope, params, filters) },
    { $sort: { occurredAt: -1, _id: -1 } },
    { $limit: cap },
    {
      $group: {
        _id: {
          v: field === BREAKDOWN_FIELDS.subject ? { $first: '$subjectKeys' } : `$${field}`,
          ...(scope === '*' && PERSONS.has(field) && { tenant: '$tenantId' }),
          unit: '$usage.unit',
          currency: '$usage.currency'
        },
        count: { $sum: 1 },
        unbilled: { $sum: { $cond: [isUnbilled, 1, 0] } },
        quantity: { $sum: '$usage.quantity' },
        amount: { $sum: { $cond: [isUnbilled, 0, '$usage.amount'] } },
        priced: {
          $sum: {
            $cond: [{ $and: [{ $not: [isUnbilled] }, { $gt: ['$usage.amount', null] }] }, 1, 0]
          }
        },
        ...sums
      }
    }
  ]
}
