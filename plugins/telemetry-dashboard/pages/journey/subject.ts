// What the page shows of one subject: its milestones, its states, the columns of its timeline.

import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { figureText } from '../figures.ts'
import { kindTag } from '../records/columns.ts'
import { figureOf, titleOf } from '../records/record.ts'
import type { RollupAnswer } from '../requests.ts'
import { sinceFirst, type TimelineItem, type Transition } from './timeline.ts'

export interface SubjectWords {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string | number>): string
  /** The name of a family. */
  label(as: string): string
}

/** Milestones in their order, each with the time since the first. */
export function milestoneSteps(
  milestones: readonly RollupAnswer[],
  words: SubjectWords
): TemplateResult {
  const { format, now, t, label, isPlatform } = words
  return html`<ol class="steps" tabindex="0" aria-label=${t('journey.milestones')}>
    ${milestones.map((milestone, at) => {
      const since = sinceFirst(milestones, milestone)
      const captured = Object.values(milestone.firstCapture).join(', ')
      return html`<li>
        <span class="dot" aria-hidden="true"></span>
        <strong>${label(milestone.as)}</strong>
        <span class="dim" title=${format.dateTime(milestone.firstAt, { millis: true })}
          >${timeText(milestone.firstAt, now, format)}</span
        >
        <span class="dim"
          >${at === 0 ? t('journey.start') : t('journey.later', { time: format.duration(since) })}</span
        >
        ${milestone.count > 1 ? html`<span class="dim">${t('journey.times', { count: milestone.count })}</span>` : nothing}
        ${captured === '' ? nothing : html`<span class="dim">${captured}</span>`}
        ${isPlatform ? html`<span class="dim">${milestone.tenantId}</span>` : nothing}
      </li>`
    })}
  </ol>`
}

function nameCell({ record, milestone }: TimelineItem, { label }: SubjectWords): unknown {
  if (milestone !== undefined) return html`<strong>${label(milestone.as)}</strong>`
  if (record === undefined) return nothing
  const { title, parts } = titleOf(record)
  return html`${title} <span class="dim">${parts.map(({ text }) => text).join(' ')}</span>`
}

export function timelineColumns(words: SubjectWords): TableColumn<TimelineItem>[] {
  const { t, format, now, isPlatform } = words
  const columns: TableColumn<TimelineItem>[] = [
    {
      id: 'time',
      header: t('column.time'),
      width: 136,
      quiet: true,
      cell: ({ at }) => timeText(at, now, format),
      hint: ({ at }) => format.dateTime(at, { millis: true })
    },
    {
      id: 'kind',
      header: t('column.kind'),
      width: 116,
      hideBelow: 420,
      cell: ({ record }) =>
        record === undefined
          ? html`<span class="tag accent">${t('journey.milestone')}</span>`
          : kindTag(record.kind)
    },
    {
      id: 'name',
      header: t('column.name'),
      link: true,
      cell: (item) => nameCell(item, words),
      hint: ({ record }) => record?.name
    },
    {
      id: 'service',
      header: t('column.service'),
      width: 110,
      hideBelow: 620,
      cell: ({ record }) => record?.service ?? ''
    },
    {
      id: 'figure',
      header: t('column.figure'),
      width: 116,
      align: 'end',
      hideBelow: 520,
      cell: ({ record }) => {
        const figure = record === undefined ? undefined : figureOf(record, undefined)
        return figure === undefined ? '' : figureText(figure.key, figure.value, format)
      }
    }
  ]
  if (!isPlatform) return columns
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 90, hideBelow: 460 }
  return [...columns, { ...tenant, cell: ({ tenantId }) => tenantId }]
}

export function transitionColumns({ t, format }: SubjectWords): TableColumn<Transition>[] {
  return [
    { id: 'key', header: t('journey.state'), width: 140, cell: ({ key }) => key },
    {
      id: 'move',
      header: t('journey.move'),
      cell: ({ from, to }) =>
        html`${from === '' ? html`<span class="dim">${t('journey.nothing')}</span>` : from} → ${to}`
    },
    {
      id: 'count',
      header: t('journey.count'),
      width: 80,
      align: 'end',
      cell: ({ count }) => count
    },
    {
      id: 'wait',
      header: t('journey.wait'),
      width: 120,
      align: 'end',
      hideBelow: 460,
      cell: ({ median }) => (median === undefined ? '–' : format.duration(median))
    }
  ]
}
