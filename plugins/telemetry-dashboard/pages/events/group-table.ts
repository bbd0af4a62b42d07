// What is shown of groups: their table, and the choice of a second dimension. Loaded when records are grouped.
import { exportButtons, type KeelsonPage, registerCatalog, type TableView } from '@keelson/ui'
import type { TemplateResult } from 'lit'
import { pick } from '../parts.ts'
import { alsoOf, type Dimension } from './dimensions.ts'
import { type GroupOptions, groupColumns, valuesOf } from './group-columns.ts'
import texts from './group-texts.en.json' with { type: 'json' }
import type { Group, Groups } from './groups.ts'

/** The words of groups, which come with them. */
export const registerGroups = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./group-texts.de.json', { with: { type: 'json' } })
  })

export interface GroupTable extends Pick<GroupOptions, 'filterHref' | 'exclude'> {
  readonly dimensions: readonly Dimension[]
  readonly groups: Groups | undefined
}

/** What the table of groups is called and shows, for the parameters of the page. */
export function groupTable(
  page: KeelsonPage,
  { groups: found, dimensions, ...links }: GroupTable
): Partial<TableView<Group>> {
  const { params, t, format } = page
  const { groups = [], values = 0 } = found ?? {}
  const isCut = values > groups.length && !params.has('groups')
  const measure = params.get('measure')
  const by = [params.get('by'), alsoOf(params)].flatMap((id) =>
    id === null ? [] : (dimensions.find((one) => one.id === id) ?? { id, label: id })
  )
  const labels = by.map(({ label }) => label)
  const rows = groups.map((group) =>
    Object.fromEntries([
      ...valuesOf(group).map((value, at) => [labels[at], value]),
      [measure ?? 'count', group.figure]
    ])
  )
  const name = `${params.get('name') ?? 'events'} by ${labels.join(' and ')}`
  return {
    heading: t('group.heading', { name: labels.join(' · ') }),
    columns: groupColumns({ ...links, t, format, measure, by }),
    total: found === undefined ? null : values,
    onMore: isCut ? () => page.go({ groups: 'all' }, { replace: true }) : undefined,
    actions: exportButtons({ name, rows }, t)
  }
}

/** The choice of a second dimension, of those that are not the first. */
export const alsoPick = (page: KeelsonPage, dimensions: readonly Dimension[]): TemplateResult =>
  pick({
    label: page.t('group.also'),
    chosen: alsoOf(page.params) ?? '',
    choices: [
      ['', page.t('group.noneAlso')],
      ...dimensions
        .filter(({ id }) => id !== page.params.get('by'))
        .map(({ id, label }) => [id, page.t('group.alsoOne', { name: label })] as const)
    ],
    onPick: (also) => page.go({ also }, { replace: true })
  })
