// The columns of the table of groups.
import { type Format, shareCell, type TableColumn } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { groupField } from '../address.ts'
import { keyHeading } from '../figures.ts'
import type { FilterValue } from '../records/record.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import type { Dimension } from './dimensions.ts'
import type { Group } from './groups.ts'
import { addsUp, measureLabel, measureText } from './measures.ts'

/** The filter that shows one group alone; undefined for a group that no filter can name. */
export function groupFilter(by: string, value: string): FilterValue | undefined {
  return value === '' ? undefined : { field: groupField(by), value }
}

export interface GroupOptions extends ValueLinks {
  /** One or two. */
  readonly by: readonly Dimension[]
  readonly measure: string | null
  readonly format: Format
}

function groupCell(value: string, by: string, options: GroupOptions): TemplateResult {
  const filter = groupFilter(by, value)
  if (filter === undefined) {
    return value === '' ? html`<span class="dim">${options.t('group.none')}</span>` : html`${value}`
  }
  return valueLink(options, filter, value)
}

/** The values of a group, as many as there are dimensions. */
export const valuesOf = ({ value, also }: Group): readonly string[] =>
  also === undefined ? [value] : [value, also]

export function groupColumns(options: GroupOptions): TableColumn<Group>[] {
  const { t, format, by, measure } = options
  return [
    ...by.map(({ id, label }, at) => {
      const valueAt = (group: Group) => valuesOf(group)[at] ?? ''
      return {
        id: `value${at}`,
        header: keyHeading(label),
        grow: 2,
        cell: (group: Group) => groupCell(valueAt(group), id, options),
        hint: valueAt
      }
    }),
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
