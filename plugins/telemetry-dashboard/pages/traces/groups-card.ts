// Spans in groups as a table: which route is slow, and its slowest trace.
import { exportButtons, Load, tableView } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { Look } from '../look.ts'
import { groupPick } from '../parts.ts'
import { ofKind, type RegistryAnswer } from '../registry.ts'
import { path } from '../requests.ts'
import { groupColumns } from './group-columns.ts'
import {
  coverageOf,
  type Durations,
  groupCells,
  groupings,
  groupingsToTry,
  readFigure,
  sortGroups
} from './groups.ts'
import { spanScope } from './scope.ts'

/** Groups that are shown at first: the spans come below. */
const FIRST = 5

export interface GroupsCardOptions {
  /** The filters of the spans. */
  asked(): URLSearchParams
  traceHref(changes: Readonly<Record<string, string>>): string
}

export class GroupsCard {
  readonly #look: Look
  readonly #options: GroupsCardOptions
  readonly load

  constructor(look: Look, options: GroupsCardOptions) {
    this.#look = look
    this.#options = options
    const { page, range, dashboard } = look
    this.load = new Load(page, {
      needs: dashboard.registry,
      args: () => {
        const spans = this.#spans
        if (spans === undefined) return null
        const tries = groupingsToTry(spans, page.params.get('by')).join('\n')
        return [tries, options.asked().toString(), range.span.from, range.span.to] as const
      },
      run: ([tries, filters, from, to], signal) => {
        const params = new URLSearchParams(filters)
        const read = (by: string) =>
          dashboard.api.read<Durations>(path('durations', params, { from, to }, { by }), signal)
        return bestGroups(tries.split('\n'), read)
      }
    })
  }

  get #spans(): RegistryAnswer | undefined {
    const registry = this.#look.dashboard.registry.value
    return registry && ofKind(registry, 'span')
  }

  get #by(): string {
    const spans = this.#spans
    const [first = 'name'] = spans ? groupingsToTry(spans, this.#look.page.params.get('by')) : []
    return this.load.value?.by ?? first
  }

  content(): TemplateResult {
    const { page, live } = this.#look
    const { t, format } = page
    const { load } = this
    const by = this.#by
    const figure = readFigure(page.params.get('sort'))
    const { groups = [], values = 0 } = load.value ?? {}
    const isWhole = page.params.get('groups') === 'all'
    const sorted = sortGroups(groups, figure)
    const rows = isWhole ? sorted : sorted.slice(0, FIRST)
    const traceHref = ({ id, tenantId, traceId = '' }: (typeof rows)[number]['slowest']) =>
      this.#options.traceHref({ trace: traceId, span: `${tenantId} ${id}` })
    const showAll = () => page.go({ groups: 'all' }, { replace: true })
    return tableView({
      class: 'groups',
      heading: t('traces.byGroup'),
      note: values > groups.length ? t('traces.groupsCut', { count: groups.length, values }) : '',
      skeleton: FIRST,
      total: groups.length,
      onMore: rows.length < groups.length ? showAll : undefined,
      columns: groupColumns({
        t,
        format,
        by,
        traceHref,
        scope: spanScope(page.params),
        filterHref: this.#look.filters.href
      }),
      rows,
      idOf: ({ value }) => value ?? '',
      sort: { column: figure, direction: 'desc' },
      onSort: ({ column }) =>
        page.go({ sort: column === 'p95' ? null : column }, { replace: true }),
      read: load,
      isLive: live.isOn,
      actions: html`${this.#choice(by)}
        ${exportButtons({ name: 'durations', rows, cells: () => groupCells(sorted, by) }, t)}`,
      empty: { heading: t('chart.empty') }
    })
  }

  /** There from the start, so that the head of the table keeps its height. */
  #choice(by: string): TemplateResult {
    const { page } = this.#look
    const spans = this.#spans
    const known = spans === undefined ? [] : groupings(spans)
    const choices = known.includes(by) ? known : [by, ...known]
    return groupPick(page, { by, choices, isDisabled: spans === undefined })
  }
}

/**
 * The answer by the first grouping that most spans have a value for, else by the one that the most have. Every span has
 * the last one, the name, which says the least.
 */
async function bestGroups(
  tries: readonly string[],
  read: (by: string) => Promise<Durations>
): Promise<Durations & { readonly by: string }> {
  const last = tries[tries.length - 1] ?? 'name'
  let best: (Durations & { readonly by: string }) | undefined
  for (const by of tries.slice(0, -1)) {
    const answer = { ...(await read(by)), by }
    const coverage = coverageOf(answer)
    if (coverage > 0.5 || answer.groups.length === 0) return answer
    if (coverage > (best === undefined ? 0 : coverageOf(best))) best = answer
  }
  return best ?? { ...(await read(last)), by: last }
}
