// Usage added up as a table: a line for each meter, person, attribute or tenant.
import { exportButtons, type TableSort, tableView } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { groupField } from '../address.ts'
import type { Look } from '../look.ts'
import { usageColumns } from './columns.ts'
import type { totalsOf } from './loads.ts'
import { sortUsage, usageCells, usageRows } from './usage.ts'

/** Rows of a table before all of them are asked for. */
const FIRST_ROWS = 10

export interface TotalsTableOptions {
  readonly load: ReturnType<typeof totalsOf>
  readonly heading: string
  /** What the lines are of. */
  readonly label: string
  /** What they are ordered by: a metric, or the count. */
  readonly measure: string
  readonly actions: unknown
  /** The order that the reader chose; only where every line is there. Undefined: it cannot be chosen. */
  readonly sort?: TableSort | null
}

/** The lines of `load`, the largest first. */
export function totalsTable(look: Look, options: TotalsTableOptions): TemplateResult {
  const { page, filters, dashboard } = look
  const { t, format, params } = page
  const { load, heading, measure, sort } = options
  const answer = load.value
  const largest = answer === undefined ? [] : usageRows(answer, measure)
  const rows = sort ? sortUsage(largest, sort, measure) : largest
  const by = answer?.by ?? ''
  const shown = params.get('all') === by ? rows : rows.slice(0, FIRST_ROWS)
  const isCut = shown.length < rows.length
  return tableView({
    heading,
    note: answer === undefined ? '' : noteOf(answer, rows.length, t),
    skeleton: 4,
    columns: usageColumns({
      format,
      label: options.label,
      measure,
      isOfTenants: rows.some(({ tenantId }) => tenantId !== undefined),
      isSortable: sort !== undefined,
      field: groupField(by),
      t,
      name: (value) => answer?.labels[value]?.label ?? value,
      journeyHref: (subject) =>
        by === 'subject' || by === 'billedTo' ? dashboard.href('journey', { subject }) : undefined,
      filterHref: filters.href,
      exclude: filters.exclude
    }),
    rows: shown,
    sort: sort ?? undefined,
    onSort: ({ column, direction }) =>
      page.go({ sort: `${column} ${direction}` }, { replace: true }),
    total: isCut ? rows.length : null,
    onMore: isCut ? () => page.go({ all: by }, { replace: true }) : undefined,
    read: load,
    isLive: look.live.isOn,
    actions: html`${options.actions}${exportButtons({ name: heading, rows, cells: () => rows.map(usageCells) }, t)}
      <span slot="actions" class="dim source" title=${t('stat.rawHint')}>${t('stat.raw')}</span>`
  })
}

/** What each tenant used, for a viewer of all of them: in any order, and a link to the tenant's own usage. */
export function tenantsTable(
  look: Look,
  load: TotalsTableOptions['load'],
  measure: string
): TemplateResult {
  const { t, params } = look.page
  const [column = '', direction] = (params.get('sort') ?? '').split(' ')
  const isWhole = load.value === undefined || load.value.values <= load.value.groups.length
  const first: TableSort = { column: measure === 'count' ? 'count' : 'figure', direction: 'desc' }
  const chosen: TableSort = { column, direction: direction === 'asc' ? 'asc' : 'desc' }
  return totalsTable(look, {
    load,
    heading: t('usage.tenants'),
    label: t('column.tenant'),
    measure,
    actions: '',
    ...(isWhole && { sort: column === '' ? first : chosen })
  })
}

function noteOf(
  { truncated, values }: { readonly truncated: boolean; readonly values: number },
  shown: number,
  t: (key: string, values?: Record<string, string | number>) => string
): string {
  if (truncated) return t('usage.truncated')
  return shown < values
    ? t('usage.top', { shown, count: values })
    : t('usage.note', { count: values })
}
