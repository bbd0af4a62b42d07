// The columns of the Metrics page: the metrics, the groups of one, and its exemplars.
import { type Format, type TableColumn, timeColumn } from '@keelson/ui'
import { html } from 'lit'
import { groupField } from '../address.ts'
import { groupKey, keyHeading } from '../figures.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { type MetricAnswer, type MetricRow, metricText, unitName } from './metric.ts'

interface Words extends Pick<ValueLinks, 't'> {
  readonly format: Format
}

export const metricColumns = ({ t, format }: Words): TableColumn<MetricRow>[] => [
  {
    id: 'name',
    header: t('metrics.name'),
    grow: 3,
    cell: ({ name }) => name,
    hint: ({ name }) => name
  },
  {
    id: 'type',
    header: t('metrics.type'),
    grow: 1,
    hideBelow: 520,
    cell: ({ type, monotonic }) =>
      t(type === 'sum' && monotonic ? 'metrics.counter' : `metrics.${type}`)
  },
  {
    id: 'unit',
    header: t('metrics.unit'),
    width: 92,
    hideBelow: 620,
    cell: ({ unit }) => unitName(unit)
  },
  {
    id: 'points',
    header: t('metrics.points'),
    width: 92,
    align: 'end',
    cell: ({ points }) => format.compact(points)
  },
  timeColumn({ format }, ({ lastAt }) => lastAt, {
    id: 'last',
    header: t('metrics.last'),
    hideBelow: 620
  })
]

type MetricGroup = MetricAnswer['groups'][number]

export const groupColumns = (
  words: Words & ValueLinks & { readonly by: string; readonly answer: MetricAnswer }
): TableColumn<MetricGroup>[] => [
  {
    id: 'value',
    header: keyHeading(groupKey(words.by)),
    grow: 2,
    cell: ({ value }) =>
      value === null
        ? html`<span class="dim">${words.t('metrics.nameless')}</span>`
        : valueLink(words, { field: groupField(words.by), value }, value),
    hint: ({ value }) => value ?? undefined
  },
  {
    id: 'points',
    header: words.t('metrics.points'),
    width: 92,
    align: 'end',
    hideBelow: 520,
    cell: ({ points }) => words.format.compact(points)
  },
  {
    id: 'figure',
    header: words.t(`metrics.read.${words.answer.measure}`),
    width: 130,
    align: 'end',
    cell: ({ figure }) => (figure === null ? '–' : metricText(words.answer, figure, words.format))
  }
]

type Exemplar = MetricAnswer['exemplars'][number]

export const exemplarColumns = (
  words: Words & { readonly answer: MetricAnswer; traceHref(traceId: string): string }
): TableColumn<Exemplar>[] => [
  timeColumn(words, ({ at }) => at, { id: 'at', header: words.t('column.time') }),
  {
    id: 'trace',
    header: words.t('metrics.trace'),
    wraps: true,
    cell: ({ traceId }) => html`<a class="link" href=${words.traceHref(traceId)}>${traceId}</a>`
  },
  {
    id: 'value',
    header: words.t('metrics.value'),
    width: 110,
    align: 'end',
    cell: ({ value }) => metricText({ ...words.answer, measure: 'avg' }, value, words.format)
  }
]
