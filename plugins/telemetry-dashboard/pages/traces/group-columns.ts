// The columns of spans in groups: how many, how many failed, how long they take, and the slowest of them.
import type { Format, TableColumn } from '@keelson/ui'
import { html } from 'lit'
import { groupField } from '../address.ts'
import { groupKey, keyHeading } from '../figures.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import type { GroupFigure, SpanGroup } from './groups.ts'
import type { SpanScope } from './scope.ts'

export interface GroupWords extends ValueLinks {
  readonly format: Format
  /** What the groups go by. */
  readonly by: string
  readonly scope: SpanScope
  /** The address of the trace of a span. */
  traceHref(slowest: SpanGroup['slowest']): string
}

export function groupColumns(words: GroupWords): TableColumn<SpanGroup>[] {
  const { t, format, by, scope } = words
  const figure = (
    id: GroupFigure,
    cell: (group: SpanGroup) => unknown,
    hideBelow: number
  ): TableColumn<SpanGroup> => ({
    id,
    header: t(id === 'n' ? `traces.${scope}.count` : `traces.group.${id}`),
    width: 92,
    align: 'end',
    sort: 'desc',
    hideBelow,
    cell
  })
  return [
    {
      id: 'value',
      header: keyHeading(groupKey(by)),
      grow: 2,
      cell: ({ value }) =>
        value === null
          ? html`<span class="dim">${t('traces.nameless')}</span>`
          : valueLink(words, { field: groupField(by), value }, value),
      hint: ({ value }) => value ?? undefined
    },
    figure('n', ({ n }) => format.compact(n), 520),
    figure('failed', ({ failed, n }) => format.percent(failed / n), 620),
    figure('p50', ({ p50 }) => format.duration(p50), 620),
    figure('p95', ({ p95 }) => format.duration(p95), 0),
    figure(
      'max',
      ({ max, slowest }) =>
        slowest.traceId === undefined
          ? format.duration(max)
          : html`<a class="link" href=${words.traceHref(slowest)} title=${t('traces.openSlowest')}
              >${format.duration(max)}</a
            >`,
      0
    )
  ]
}
