// The columns of the table of groups, loaded when records are grouped.
import { type Format, shareCell, type TableColumn } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { groupField } from '../address.ts'
import { keyHeading } from '../figures.ts'
import type { FilterValue } from '../records/record.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import type { Group } from './groups.ts'
import { addsUp, measureLabel, measureText } from './measures.ts'

/** The filter that shows one group alone; undefined for a group that no filter can name. */
export function groupFilter(by: string, value: string): FilterValue | undefined {
  return value === '' ? undefined : { field: groupField(by), value }
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
