// What the Events page knows: the address read, and the answers that it asks for.
import { Load } from '@keelson/ui'
import { previousSpan, type Span } from '../buckets.ts'
import { ListingPage, type RecordsPage } from '../records/listing-page.ts'
import type { RecordRow } from '../records/record.ts'
import { groupsPath, recordsPath } from '../requests.ts'
import { readGroups } from './groups.ts'
import type { Pair } from './tile-view.ts'
import { planTiles } from './tiles.ts'

export class EventsState extends ListingPage {
  /** The event name that is looked at; null for all. */
  protected get eventName(): string | null {
    return this.params.get('name')
  }

  protected override get windowTitle(): string {
    const title = this.t('events.title')
    return this.eventName === null ? title : `${this.eventName} · ${title}`
  }

  protected override get pageId(): string {
    return 'events'
  }

  /** What the records are told apart by; null for nothing. */
  protected get by(): string | null {
    return this.params.get('by')
  }

  protected readonly groups = new Load(this, {
    args: () =>
      this.by === null
        ? null
        : ([this.asking.toString(), this.span.from, this.span.to, this.interval, this.by] as const),
    run: async ([filters, from, to, interval, by], signal) => {
      const path = groupsPath(new URLSearchParams(filters), { from, to }, interval, by)
      const groups = readGroups(await this.read<Parameters<typeof readGroups>[0]>(path, signal), by)
      return { ...groups, by, span: { from, to }, interval }
    }
  })

  protected readonly tiles = new Load(this, {
    args: () => {
      const registry = this.registry.value
      if (registry === undefined) return null
      return [this.asking.toString(), this.span.from, this.span.to, registry] as const
    },
    run: async ([filters, from, to, registry], signal) => {
      const span = { from, to }
      const tiles = planTiles(new URLSearchParams(filters), registry, span)
      // A figure that cannot be had leaves its tile out and the others standing.
      const pairs = await Promise.allSettled(
        tiles.map(async (tile): Promise<Pair> => {
          const ask = (one: Span) => this.read<unknown>(tile.path(one), signal)
          const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
          return { now, before }
        })
      )
      return { tiles, pairs, span }
    }
  })

  /** The open record when it is not among the rows: found by its id at its moment. */
  protected readonly single = new Load(this, {
    args: () => {
      const { record, at } = this.wanted
      if (record === null || at === null || this.records.value === undefined) return null
      return this.#listed(record) === undefined ? ([record, at] as const) : null
    },
    run: async ([record, at], signal) => {
      const from = Date.parse(at)
      const path = recordsPath(new URLSearchParams(), { from, to: from + 1 }, null)
      const { items } = await this.read<RecordsPage>(path, signal)
      return { record, row: items.find((row) => this.rowId(row) === record) }
    }
  })

  protected get wanted(): { readonly record: string | null; readonly at: string | null } {
    return { record: this.params.get('record'), at: this.params.get('at') }
  }

  #listed(id: string): RecordRow | undefined {
    return this.records.value?.items.find((row) => this.rowId(row) === id)
  }

  /** The open record: a row, null when it is not there, undefined while that is not known. */
  protected get openRow(): RecordRow | null | undefined {
    const { record, at } = this.wanted
    if (record === null) return null
    const listed = this.#listed(record)
    if (listed !== undefined) return listed
    const single = this.single.value
    if (single?.record === record) return single.row ?? null
    return at === null || this.single.status === 'error' ? null : undefined
  }

  protected override refresh(): void {
    // A range with fixed ends does not move with time, so that it has to be asked for again.
    if (this.isMoving) super.refresh()
    else for (const load of [this.records, this.counts, this.tiles]) void load.reload()
    if (this.registry.status === 'error') void this.registry.reload()
  }
}
