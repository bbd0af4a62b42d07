// A list that a page declares: read page by page, narrowed by the address, with the open row beside it.
import { html, nothing, type TemplateResult } from 'lit'
import type { FilterField } from '../controllers/filter.ts'
import { Filters, type FiltersOptions, fieldFilters } from '../controllers/filters.ts'
import { ListLoad, type ListPage, type ListPosition } from '../controllers/list-load.ts'
import { Load } from '../controllers/load.ts'
import { Selection, type SelectionOptions } from '../controllers/selection.ts'
import { errorText } from '../elements/error/message.ts'
import type { TableColumn } from '../elements/table/column.ts'
import type { KeelsonPage } from '../keelson-page.ts'
import { type TableEmpty, type TablePanel, tableView } from './table-view.ts'

/** Values of the address that narrow a list, by the name of the parameter; those that are not set are missing. */
export type Narrowing = Readonly<Record<string, string | undefined>>

/** Where rows come from. */
export interface ListSource<Row> {
  /** Identifies a row. Default: its `id`. */
  idOf?(row: Row): string
  /** A read that `about` needs: where it fails, the list has failed, and both are read again together. */
  readonly needs?: Load<readonly unknown[], unknown>
  /** What else the rows depend on; a change reads them again. Null: nothing to read now. */
  about?(): readonly unknown[] | null
  /**
   * Reads the rows that begin at a position: a page of them, or all as an array. It is read again when the address
   * narrows the list otherwise, but not where `keeps` does that.
   */
  read(
    narrowing: Narrowing,
    position: ListPosition<Row>,
    signal?: AbortSignal
  ): Promise<ListPage<Row> | readonly Row[]>
  /** Whether a row that was read is shown: for lists that are read whole. */
  keeps?(row: Row, narrowing: Narrowing): boolean
  /** Rows of a full page, for an API without `nextCursor`. */
  readonly size?: number
  /** Says what an error is. Default: `errorText`. */
  words?(error: unknown): string
}

/** Parameters of the address that narrow a list. */
export interface ListFilters extends Pick<FiltersOptions, 'closes'> {
  readonly params: readonly string[]
  /** The parameters that are shown as chips. The page defines `KeelsonFilterChips`. */
  chips?(): readonly FilterField[]
}

/** What opens beside the list. The page defines `KeelsonDrawer`. */
export interface ListPanel<Row, Detail = Row>
  extends Pick<SelectionOptions<Row>, 'param' | 'also' | 'closes'> {
  /** Pixels. Default: that of the drawer. */
  readonly width?: number
  /** The name of the panel. Default: the text `label`. */
  label?(detail: Detail | undefined): string
  /** Reads what opens; null where it does not exist. Default: the row itself, when it is among those read. */
  read?(id: string, signal: AbortSignal): Promise<Detail | null>
  /** The panel, with its head in the slot `header`. */
  view(detail: Detail): TemplateResult
}

/** A list. */
export interface ListOptions<Row, Detail = Row> {
  /**
   * What the keys of its texts begin with. `title` is the heading of the page, and of the table where there is no
   * `heading`; `note` is beside it. `none` and `noneText` say that the list is empty, `noneFound`, `noneFoundText` and
   * `clear` that nothing fits what narrows it; `label`, `missing` and `missingText` are of the panel; `missingText` may hold the `id`.
   */
  readonly texts: string
  readonly source: ListSource<Row>
  columns(page: KeelsonPage): TableColumn<Row>[]
  readonly filters?: ListFilters
  readonly panel?: ListPanel<Row, Detail>
  /** Where a row leads, of a list without a panel. */
  href?(row: Row): string
  /** Rows of bones before the first answer. */
  readonly skeleton?: number
  /** What an empty list offers. */
  emptyAction?(): unknown
  /** What an empty list says that nothing narrows. Default: `none` and `noneText`, with `emptyAction`. */
  empty?(): TableEmpty
  /** At the end of the line above the table, in the slot `actions`. */
  actions?(): unknown
}

/** A declared list: what it has read, what is open, and how it is drawn. */
export class List<Row, Detail = Row> {
  readonly #page: KeelsonPage
  readonly #options: ListOptions<Row, Detail>
  readonly load: ListLoad<readonly unknown[], Row>
  readonly filters: Filters
  readonly selection: Selection<Row> | undefined
  readonly #detail: Load<readonly [string], { readonly id: string; readonly of: Detail | null }>

  constructor(page: KeelsonPage, options: ListOptions<Row, Detail>) {
    this.#page = page
    this.#options = options
    const { source, panel, filters } = options
    const idOf = this.#idOf
    this.filters = new Filters(page, {
      codec: fieldFilters(filters?.params ?? []),
      closes: { ...filters?.closes, ...(panel && { ...panel.closes, [panel.param]: null }) }
    })
    this.selection = panel && new Selection(page, { ...panel, idOf })
    this.load = new ListLoad(page, {
      args: () => {
        const about = source.about === undefined ? [] : source.about()
        if (about === null) return null
        return source.keeps === undefined ? [...about, this.filters.params.toString()] : about
      },
      ...(source.size !== undefined && { size: source.size }),
      ...(source.needs !== undefined && { needs: source.needs }),
      idOf,
      page: async (_args, position, signal) => {
        const read = await source.read(this.narrowing, position, signal)
        return isAll(read) ? { items: read, nextCursor: null } : read
      }
    })
    this.#detail = new Load(page, {
      args: () => (panel?.read === undefined || this.openId === null ? null : [this.openId]),
      run: async ([id], signal) => ({ id, of: (await panel?.read?.(id, signal)) ?? null })
    })
  }

  readonly #idOf = (row: Row): string =>
    this.#options.source.idOf?.(row) ?? (row as { readonly id: string }).id

  /** What the address narrows the list to. */
  get narrowing(): Narrowing {
    return Object.fromEntries(this.filters.params)
  }

  /** The rows that are shown. */
  get rows(): readonly Row[] {
    const { keeps } = this.#options.source
    if (keeps === undefined) return this.load.rows
    return this.load.rows.filter((row) => keeps(row, this.narrowing))
  }

  /** The id of the open row; null when none is open. */
  get openId(): string | null {
    return this.selection?.id ?? null
  }

  /** What is open, once it was read; null where it does not exist. */
  get open(): Detail | null | undefined {
    if (this.#options.panel?.read !== undefined) {
      const { value } = this.#detail
      return value?.id === this.openId ? value?.of : undefined
    }
    const row = this.load.rows.find((one) => this.#idOf(one) === this.openId)
    return row === undefined ? null : (row as unknown as Detail)
  }

  /** Reads the list again, and what is open. */
  async reload(): Promise<void> {
    const { panel, source } = this.#options
    const isRead = panel?.read !== undefined && this.openId !== null
    const loads = [
      this.load,
      ...(source.needs ? [source.needs] : []),
      ...(isRead ? [this.#detail] : [])
    ]
    await Promise.all(loads.map((load) => load.reload()))
  }

  #t(name: string): string {
    return this.#page.t(`${this.#options.texts}.${name}`)
  }

  /** A text that a list need not have. */
  #maybe(name: string, values: Readonly<Record<string, string>> = {}): string {
    const words = this.#page.t(`${this.#options.texts}.${name}`, values)
    return words === `${this.#options.texts}.${name}` ? '' : words
  }

  /** The filters, the table, and the panel beside it. */
  view(): TemplateResult {
    const { filters, panel } = this.#options
    const fields = filters?.chips?.()
    return html`${fields === undefined ? nothing : this.filters.chips(fields)}
      ${this.table(panel && this.#panel(panel))}`
  }

  #panel(panel: ListPanel<Row, Detail>): TablePanel {
    const { openId, open } = this
    return {
      label: panel.label?.(open ?? undefined) ?? this.#t('label'),
      width: panel.width,
      isOpen: openId !== null && (panel.read !== undefined || this.load.value !== undefined),
      content: this.#panelContent(panel, open)
    }
  }

  #panelContent(panel: ListPanel<Row, Detail>, open: Detail | null | undefined): TemplateResult {
    if (open) return panel.view(open)
    if (open === null)
      return html`<keelson-empty heading=${this.#t('missing')} text=${this.#maybe('missingText', { id: this.openId ?? '' })}></keelson-empty>`
    const { failure } = this.#detail
    return failure === undefined
      ? html`<p class="panel-part" aria-busy="true"><span class="bone"></span></p>`
      : html`<p class="panel-part">${this.#words(failure)}</p>`
  }

  #words(error: unknown): string {
    return this.#options.source.words?.(error) ?? errorText(error, this.#page.t)
  }

  /** The table, alone or with a panel beside it. */
  table(panel?: TablePanel): TemplateResult {
    const { load, selection } = this
    const { href, columns, skeleton, actions } = this.#options
    return tableView<Row>({
      heading: this.#maybe('heading') || this.#t('title'),
      note: this.#maybe('note'),
      keys: selection !== undefined || href !== undefined,
      columns: columns(this.#page),
      rows: this.rows,
      idOf: this.#idOf,
      read: load,
      actions: actions?.(),
      empty: this.#empty(),
      panel,
      skeleton,
      selection,
      href: href && ((row) => href(row))
    })
  }

  /** That no row fits what narrows the list, with a link to clear it; else that there are none. */
  #empty(): TableEmpty {
    const { empty, emptyAction } = this.#options
    if (this.filters.value.length > 0)
      return {
        heading: this.#t('noneFound'),
        text: this.#maybe('noneFoundText'),
        action: html`<a class="btn" href=${this.#page.address(this.filters.changes([]))}>${this.#t('clear')}</a>`
      }
    if (empty !== undefined) return empty()
    return { heading: this.#t('none'), text: this.#maybe('noneText'), action: emptyAction?.() }
  }
}

const isAll = <Row>(read: ListPage<Row> | readonly Row[]): read is readonly Row[] =>
  Array.isArray(read)
