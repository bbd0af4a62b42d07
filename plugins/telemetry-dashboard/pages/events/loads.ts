// What the Events page asks for, besides records and their counts.
import { type KeelsonPage, Load, type TableEmpty } from '@keelson/ui'
import { bothPeriods } from '../counts.ts'
import type { Look } from '../look.ts'
import type { RecordRow } from '../records/record.ts'
import type { RecordsAnswer, recordsOf } from '../records/records-list.ts'
import { measuredPath, readCounts, recordsPath } from '../requests.ts'
import { alsoOf } from './dimensions.ts'
import type { Pair } from './tile-view.ts'
import { planTiles } from './tiles.ts'

/** A part of the page that an embed need not load at once: when the address has its parameter, or soon. */
const partOf = <Part>(page: KeelsonPage, load: () => Promise<Part>, param?: string) =>
  new Load(page, {
    args: () => (param === undefined || page.params.has(param) ? ([] as const) : null),
    run: load
  })

/** The panel of the open record. */
export const panelParts = (page: KeelsonPage) =>
  partOf(
    page,
    async () => {
      const parts = await import('../records/panel.ts')
      parts.registerPanel()
      return parts
    },
    'record'
  )

/** The field of the search. */
export const searchParts = (page: KeelsonPage) =>
  partOf(page, async () => {
    const { registerSearch, searchBox } = await import('./search-box.ts')
    registerSearch()
    return { searchBox }
  })

/** What is shown of groups. */
export const groupParts = (page: KeelsonPage) =>
  partOf(
    page,
    async () => {
      const { alsoPick, groupTable, registerGroups } = await import('./group-table.ts')
      registerGroups()
      return { alsoPick, groupTable }
    },
    'by'
  )

/** Why there are no records; undefined while that is not known, or there are some. */
export function emptyOf(look: Look, records: ReturnType<typeof recordsOf>) {
  const parts = new Load(look.page, {
    args: () => (records.rows?.length === 0 ? ([] as const) : null),
    run: async () => {
      const late = await import('../empty.ts')
      late.registerEmpty()
      return late
    }
  })
  return (): TableEmpty | undefined => {
    if (parts.value === undefined) return undefined
    const { emptyList, whyEmpty } = parts.value
    const { filters, range, dashboard } = look
    return emptyList(look, whyEmpty(filters.value, range.value, dashboard.registry.value))
  }
}

/** The records in groups, by the dimensions that parameters `by` and `also` name. */
export function groupsOf(look: Look) {
  const { page, filters, range, dashboard } = look
  return new Load(page, {
    args: () => {
      const by = page.params.get('by')
      if (by === null) return null
      const { from, to } = range.span
      return [
        filters.params.toString(),
        from,
        to,
        look.interval,
        look.timeZone,
        by,
        alsoOf(page.params),
        page.params.get('measure'),
        page.params.has('groups')
      ] as const
    },
    run: async ([asked, from, to, interval, timeZone, by, also, measure, isWhole], signal) => {
      const params = new URLSearchParams(asked)
      const span = { from, to }
      const { loadGroups } = await import('./groups.ts')
      return loadGroups((path) => dashboard.api.read(path, signal), {
        params,
        span,
        interval,
        timeZone,
        by,
        also,
        measure,
        isWhole
      })
    }
  })
}

/** The measure that parameter `measure` names, over time; counts are read for the tiles anyway. */
export function measuredOf(look: Look) {
  const { page, filters, range, dashboard } = look
  return new Load(page, {
    args: () => {
      const measure = page.params.get('measure')
      if (measure === null) return null
      const { from, to } = range.span
      return [filters.params.toString(), from, to, look.interval, look.timeZone, measure] as const
    },
    run: async ([asked, from, to, interval, timeZone, measure], signal) => {
      const params = new URLSearchParams(asked)
      const both = await bothPeriods({ from, to }, async (span) => {
        const path = measuredPath(params, span, { interval, timeZone, measure })
        return readCounts(await dashboard.api.read(path, signal))
      })
      return { ...both, interval, measure }
    }
  })
}

/** The figures above the chart that need their own requests. */
export function tilesOf(look: Look) {
  const { page, filters, range, dashboard } = look
  return new Load(page, {
    needs: dashboard.registry,
    args: () => {
      const registry = dashboard.registry.value
      if (registry === undefined) return null
      return [filters.params.toString(), range.span.from, range.span.to, registry] as const
    },
    run: async ([asked, from, to, registry], signal) => {
      const span = { from, to }
      const tiles = planTiles(new URLSearchParams(asked), {
        registry,
        span,
        timeZone: look.timeZone
      })
      // One tile that fails says so; the others are shown.
      const pairs = await Promise.allSettled(
        tiles.map(
          (tile): Promise<Pair> =>
            bothPeriods(span, (one) => dashboard.api.read<unknown>(tile.path(one), signal))
        )
      )
      const [first] = pairs
      if (first?.status === 'rejected' && pairs.every(({ status }) => status === 'rejected')) {
        throw first.reason
      }
      return { tiles, pairs, span }
    }
  })
}

/** The open record, listed or read by its id and time. */
export class OpenRecord {
  readonly #look: Look
  readonly #records: ReturnType<typeof recordsOf>
  readonly #single

  constructor(look: Look, records: ReturnType<typeof recordsOf>) {
    this.#look = look
    this.#records = records
    this.#single = new Load(look.page, {
      quiet: true,
      args: () => {
        const { id, at } = this.#wanted
        if (id === null || at === null || records.value === undefined) return null
        return this.#listed(id) === undefined ? ([id, at] as const) : null
      },
      run: async ([id, at], signal) => {
        const from = Date.parse(at)
        const path = recordsPath(new URLSearchParams(), { from, to: from + 1 }, null)
        const { items } = await look.dashboard.api.read<RecordsAnswer>(path, signal)
        return { id, row: items.find((row) => look.dashboard.rowId(row) === id) }
      }
    })
  }

  get #wanted(): { readonly id: string | null; readonly at: string | null } {
    const { params } = this.#look.page
    return { id: params.get('record'), at: params.get('at') }
  }

  #listed(id: string): RecordRow | undefined {
    return this.#records.rows.find((row) => this.#look.dashboard.rowId(row) === id)
  }

  /** The record; `null` when it is not found, undefined while it is being read. */
  get row(): RecordRow | null | undefined {
    const { id, at } = this.#wanted
    if (id === null) return null
    const listed = this.#listed(id)
    if (listed !== undefined) return listed
    const single = this.#single.value
    if (single?.id === id) return single.row ?? null
    return at === null || this.#single.status === 'error' ? null : undefined
  }
}
