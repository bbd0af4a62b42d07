// The records in groups: by which dimensions, and each group over time.
import type {
  ActivityGroup,
  ActivityResult,
  BreakdownGroup,
  BreakdownResult
} from '@keelson/telemetry'
import {
  type AsJson,
  type ChartSeries,
  type Format,
  shareCell,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { groupField } from '../address.ts'
import { type Bucket, fillBuckets } from '../buckets.ts'
import { keyHeading } from '../figures.ts'
import { groupTones } from '../group-tones.ts'
import type { FilterValue } from '../records/record.ts'
import { attrKeys, type RegistryAnswer } from '../registry.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { addsUp, measureLabel, measureText } from './measures.ts'

export interface Group {
  /** Empty: records without the value. */
  readonly value: string
  /** The measure; the records when they are counted. */
  readonly figure: number
  readonly buckets: readonly Bucket[]
  /** Of all groups. */
  readonly share: number
}

export interface Groups {
  /** The largest first. */
  readonly groups: readonly Group[]
  readonly source: 'raw' | 'rollup'
  readonly truncated: boolean
  readonly sampled: boolean
}

/** Lines of a chart that can still be told apart. */
const MOST_LINES = 5

const FIELDS = ['name', 'kind', 'service', 'severity', 'env', 'release', 'subject', 'fingerprint']

export interface Dimension {
  /** As the API is asked: `service`, `attr:plan`. */
  readonly id: string
  readonly label: string
}

/** What the records of a name (or all) can be told apart by. */
export function dimensions(
  registry: RegistryAnswer,
  name: string | null,
  t: (key: string) => string
): Dimension[] {
  const fields = name === null ? FIELDS : FIELDS.filter((id) => id !== 'name' && id !== 'kind')
  return [
    ...attrKeys(registry, name).map((key) => ({ id: `attr:${key}`, label: key })),
    ...fields.map((id) => ({ id, label: t(`fact.${id}`) })),
    ...(registry.platform ? [{ id: 'tenantId', label: t('fact.tenantId') }] : [])
  ]
}

/** The filter that shows one group alone; undefined for a group that no filter can name. */
export function groupFilter(by: string, value: string): FilterValue | undefined {
  return value === '' ? undefined : { field: groupField(by), value }
}

type ActivityAnswer = Pick<AsJson<ActivityResult>, 'truncated'> & {
  readonly groups: readonly Pick<AsJson<ActivityGroup>, 'group' | 'at' | 'count'>[]
}
type BreakdownAnswer = Pick<AsJson<BreakdownResult>, 'truncated' | 'sampled'> & {
  readonly groups: readonly Pick<AsJson<BreakdownGroup>, 'value' | 'figure' | 'buckets'>[]
}

/** Either answer to `groupsPath`, in one shape. */
export function readGroups(answer: ActivityAnswer | BreakdownAnswer, by: string): Groups {
  const found = new Map<string, { figure: number; buckets: Bucket[] }>()
  const add = (value: string, figure: number, buckets: readonly Bucket[]) => {
    const known = found.get(value) ?? { figure: 0, buckets: [] }
    known.figure += figure
    known.buckets.push(...buckets)
    found.set(value, known)
  }
  const isRaw = 'sampled' in answer
  if (isRaw) {
    for (const { value, figure, buckets = [] } of answer.groups) add(value ?? '', figure, buckets)
  } else {
    for (const { group, at, count } of answer.groups) {
      add(
        (group as Record<string, string>)[by] ?? '',
        count,
        at === undefined ? [] : [{ at, value: count }]
      )
    }
  }
  const groups = [...found].sort(
    ([a, one], [b, two]) => two.figure - one.figure || (a < b ? -1 : 1)
  )
  const all = Math.max(
    1,
    groups.reduce((sum, [, { figure }]) => sum + figure, 0)
  )
  return {
    groups: groups.map(([value, one]) => ({ value, ...one, share: one.figure / all })),
    source: isRaw ? 'raw' : 'rollup',
    truncated: answer.truncated,
    sampled: isRaw && answer.sampled
  }
}

/** The largest groups as lines of a chart. */
export const groupSeries = (
  { groups }: Groups,
  starts: readonly number[],
  { nameless, missing }: { readonly nameless: string; readonly missing: 0 | null }
): ChartSeries[] => {
  const shown = groups.slice(0, MOST_LINES)
  const tones = groupTones(shown.map(({ value }) => value).sort())
  return shown.map(({ value, buckets }) => ({
    id: `group ${value}`,
    label: value === '' ? nameless : value,
    values: fillBuckets(buckets, starts, missing),
    tone: tones.get(value)
  }))
}

export interface GroupOptions extends ValueLinks {
  readonly by: string
  readonly label: string
  readonly measure: string | null
  readonly format: Format
}

function groupCell(value: string, options: GroupOptions): TemplateResult {
  const filter = groupFilter(options.by, value)
  if (filter === undefined) {
    return value === '' ? html`<span class="dim">${options.t('group.none')}</span>` : html`${value}`
  }
  return valueLink(options, filter, value)
}

export function groupColumns(options: GroupOptions): TableColumn<Group>[] {
  const { t, format, label, measure } = options
  return [
    {
      id: 'value',
      header: keyHeading(label),
      grow: 2,
      cell: ({ value }) => groupCell(value, options),
      hint: ({ value }) => value
    },
    ...(addsUp(measure)
      ? [
          {
            id: 'share',
            header: t('group.share'),
            grow: 2,
            hideBelow: 460,
            cell: ({ share }: Group) => shareCell(share, format)
          }
        ]
      : []),
    {
      id: 'figure',
      header: measure === null ? t('events.records') : measureLabel(measure, t),
      width: measure === null ? 100 : 160,
      align: 'end',
      cell: ({ figure }) => measureText(measure, figure, format),
      hint: ({ figure }) => format.number(figure)
    }
  ]
}
