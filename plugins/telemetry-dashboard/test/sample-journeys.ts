// Answers about people and usage over made-up records: funnels, retention, journeys, totals.

import { startOf as bucketStart } from '@keelson/sdk/zoned-time'
import type { Envelope, RollupTotal, RollupTotalsResult, TimeRange } from '@keelson/telemetry'

const DAY = 86_400_000
const FAMILY_OF: Readonly<Record<string, string>> = {
  'account.signed_up': 'signed_up',
  'order.placed': 'first_order'
}

/** Ref to family to the first time. */
function firsts(rows: readonly Envelope[]): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const { name, subject, occurredAt } of rows) {
    const as = FAMILY_OF[name]
    if (as === undefined || subject === undefined) continue
    const reached = found.get(subject) ?? new Map<string, number>()
    const at = Math.min(reached.get(as) ?? Number.POSITIVE_INFINITY, occurredAt.getTime())
    found.set(subject, reached.set(as, at))
  }
  return found
}

interface FunnelAsked extends TimeRange {
  readonly by?: string
  readonly stages: readonly string[]
  readonly exits?: readonly string[]
  readonly stage?: string
  readonly outcome?: string
}

type Members = readonly (readonly [ref: string, reached: ReadonlyMap<string, number>])[]

function stagesOf(members: Members, stages: readonly string[]) {
  const at = (as: string | undefined) => members.filter(([, reached]) => reached.has(as ?? ''))
  return stages.map((as, index) => {
    const before = at(stages[index - 1])
    const here = at(as)
    return {
      order: index + 1,
      key: as,
      as,
      label: as,
      subjects: here.length,
      pctOfFirst: (here.length / Math.max(1, at(stages[0]).length)) * 100,
      pctOfPrevious: index === 0 ? null : (here.length / Math.max(1, before.length)) * 100,
      medianDaysFromAnchor: index,
      medianDaysFromPrevious: index === 0 ? null : 1,
      notReached: before.filter(([, reached]) => !reached.has(as)).length,
      stalledAt: null
    }
  })
}

/** Members by what the record had that brought them in. */
function groupsOf(
  rows: readonly Envelope[],
  members: Members,
  by: string,
  stages: readonly string[]
) {
  const captured = (ref: string) =>
    rows.find(({ name, subject }) => subject === ref && FAMILY_OF[name] === stages[0])?.attrs[
      by.slice(5)
    ] ?? null
  return [...new Set(members.map(([ref]) => captured(ref)))].map((value) => {
    const some = members.filter(([ref]) => captured(ref) === value)
    return { value, subjects: some.length, stages: stagesOf(some, stages) }
  })
}

export function journeyAnswers(rows: readonly Envelope[]) {
  const all = firsts(rows)
  const cohort = ({ from, to, stages }: FunnelAsked): Members =>
    [...all].filter(([, reached]) => {
      const at = reached.get(stages[0] ?? '') ?? Number.NaN
      return at >= from.getTime() && at < to.getTime()
    })
  return {
    funnel(_scope: string, asked: FunnelAsked) {
      const members = cohort(asked)
      const weeks = new Map<number, Members>()
      for (const member of members) {
        const at = bucketStart(member[1].get(asked.stages[0] ?? '') ?? 0, 'week')
        weeks.set(at, [...(weeks.get(at) ?? []), member])
      }
      return {
        cohortSubjects: members.length,
        first: members.length,
        stages: stagesOf(members, asked.stages),
        exits: [],
        slices: [...weeks]
          .sort(([a], [b]) => a - b)
          .map(([at, some]) => ({
            at: new Date(at),
            subjects: some.length,
            stages: stagesOf(some, asked.stages)
          })),
        ...(asked.by !== undefined && { groups: groupsOf(rows, members, asked.by, asked.stages) }),
        truncated: false,
        cohort: {
          from: asked.from,
          to: asked.to,
          endInclusive: false,
          anchor: asked.stages[0] ?? ''
        },
        dataSource: 'rollups'
      }
    },
    funnelPeople(_scope: string, asked: FunnelAsked) {
      const { stage = '', outcome } = asked
      const people = cohort(asked)
        .filter(([, reached]) => reached.has(stage) === (outcome !== 'missed'))
        .map(([ref, reached]) => ({
          tenantId: 'acme',
          ref,
          anchorAt: new Date(reached.get(asked.stages[0] ?? '') ?? 0),
          last: [...reached.keys()].at(-1),
          lastAt: new Date(0)
        }))
      return { people, total: people.length, truncated: false, dataSource: 'rollups' }
    },
    retention(_scope: string, { from, to }: TimeRange) {
      const start = bucketStart(from.getTime(), 'week')
      const cohorts = Array.from({ length: 3 }, (_, at) => ({
        at: new Date(start + at * 7 * DAY),
        subjects: 20 - at,
        active: Array.from({ length: 4 - at }, (_, period) => Math.round((20 - at) / (period + 1)))
      }))
      return {
        cohorts: cohorts.filter(({ at }) => at < to),
        interval: 'week',
        truncated: false,
        dataSource: 'rollups'
      }
    }
  }
}

interface UsageAsked extends TimeRange {
  readonly by: string
  readonly sums?: readonly string[]
}

function usageValue(row: Envelope, by: string): string | undefined {
  const { subject, usage, attrs, tenantId } = row
  if (by === 'tenantId') return tenantId
  if (by.startsWith('attr:')) return attrs[by.slice(5)]
  if (by === 'meter') return usage?.meter
  return by === 'billedTo' ? (usage?.billedTo ?? subject) : subject
}

export function subjectAnswers(rows: readonly Envelope[]) {
  const all = firsts(rows)
  return {
    journey(_scope: string, { ref, from, to }: TimeRange & { readonly ref: string }) {
      const reached = [...(all.get(ref) ?? [])].sort(([, a], [, b]) => a - b)
      return {
        records: rows.filter(
          ({ subject, occurredAt }) => subject === ref && occurredAt >= from && occurredAt < to
        ),
        milestones: reached.map(([as, at]) => ({
          _id: `acme|${as}|${ref}`,
          tenantId: 'acme',
          as,
          dims: [ref],
          subjectType: 'user',
          firstAt: new Date(at),
          lastAt: new Date(at),
          count: 1,
          sums: {},
          firstCapture: as === 'signed_up' ? { 'attr:source': 'ads' } : {}
        })),
        truncated: false,
        dataSource: 'raw+rollups'
      }
    }
  }
}

export function usageAnswers(rows: readonly Envelope[]) {
  return {
    usageTotals(scope: string, { by, from, to, sums = [] }: UsageAsked) {
      const isOfTenants = scope === '*' && (by === 'subject' || by === 'billedTo')
      const groups = new Map<string, Envelope[]>()
      for (const row of rows) {
        if (row.kind !== 'usage' || row.occurredAt < from || row.occurredAt >= to) continue
        const group = JSON.stringify([isOfTenants && row.tenantId, usageValue(row, by)])
        groups.set(group, [...(groups.get(group) ?? []), row])
      }
      const added = (some: readonly Envelope[]) => ({
        count: some.length,
        unbilled: 0,
        quantities: { token: some.reduce((sum, { usage }) => sum + (usage?.quantity ?? 0), 0) },
        amounts: by === 'meter' ? { USD: '12.340000000001' } : {},
        sums: Object.fromEntries(
          sums.map((key) => [key, some.reduce((sum, row) => sum + (row.metrics[key] ?? 0), 0)])
        )
      })
      const totals = [...groups.values()].map((some) => ({
        value: (some[0] && usageValue(some[0], by)) ?? null,
        ...(isOfTenants && { tenantId: some[0]?.tenantId }),
        ...added(some)
      }))
      return {
        groups: totals,
        values: totals.length,
        total: added([...groups.values()].flat()),
        truncated: false,
        dataSource: 'raw'
      }
    }
  }
}

/** The totals of a family by model and day. */
export function spend(rows: readonly Envelope[]): RollupTotalsResult {
  const found = new Map<string, RollupTotal>()
  for (const { attrs, metrics, occurredAt } of rows) {
    const dims = [`model=${attrs['model']}`]
    const at = new Date(bucketStart(occurredAt.getTime(), 'day'))
    const known = found.get(dims.join())
    found.set(dims.join(), {
      tenantId: 'acme',
      dims,
      // Rows are newest first.
      bucketAt: known?.bucketAt ?? at,
      firstAt: at,
      lastAt: known?.lastAt ?? at,
      count: (known?.count ?? 0) + 1,
      sums: { cost_usd: (known?.sums['cost_usd'] ?? 0) + (metrics['cost_usd'] ?? 0) }
    })
  }
  const totals = [...found.values()].sort((a, b) => b.count - a.count)
  return {
    totals,
    values: totals.length,
    documents: rows.length,
    bucket: 'day',
    truncated: false,
    dataSource: 'rollups'
  }
}
