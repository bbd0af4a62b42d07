// A real table: sorted by its headers, paged by cursor, moved through by keyboard.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { Shortcuts } from '../../controllers/shortcuts.ts'
import { icon } from '../../icons.ts'
import { KeelsonElement } from '../element.ts'
import { errorText } from '../error/message.ts'
import {
  columnsAt,
  gridColumns,
  moveBy,
  nextSort,
  type TableColumn,
  type TableSort
} from './column.ts'
import { tableStyles } from './styles.ts'

const INTERACTIVE = 'a, button, input, select, textarea, summary'

/**
 * Rows in columns of fixed widths.
 *
 * @fires keelson-open - Enter or click on a row: `{id, row, href, shift}`; `shift` says whether it was held.
 *   Not canceled: goes to the row's link.
 * @fires keelson-move - Moved to a row by key: `{id, row}`.
 * @fires keelson-sort - `{column, direction}`.
 * @fires keelson-more - Load more was pressed.
 * @fires keelson-retry - Try again was pressed, below rows whose next page failed.
 * @slot empty - What to show when there are no rows.
 * @slot actions - At the end of the line above the table.
 * @csspart table, head, row, cell, foot
 */
export class KeelsonTable<Row = unknown> extends KeelsonElement {
  static readonly tag = 'keelson-table'
  static override readonly styles = tableStyles
  static override readonly properties = {
    columns: { attribute: false },
    rows: { attribute: false },
    rowId: { attribute: false },
    rowHref: { attribute: false },
    rowLabel: { attribute: false },
    selected: { attribute: false },
    sort: { attribute: false },
    loading: { type: Boolean },
    error: { attribute: false },
    skeleton: { type: Number },
    more: { type: Boolean },
    total: { attribute: false },
    heading: {},
    note: {},
    footer: {},
    label: {},
    keys: { type: Boolean }
  }
  declare columns: readonly TableColumn<Row>[]
  declare rows: readonly Row[]
  declare rowId: (row: Row) => string
  declare rowHref: ((row: Row) => string | undefined) | undefined
  declare rowLabel: ((row: Row) => string) | undefined
  declare selected: string | null
  declare sort: TableSort | null
  declare loading: boolean
  declare error: unknown
  declare skeleton: number
  declare more: boolean
  declare total: number | null
  declare heading: string
  declare note: string
  declare footer: string
  declare label: string
  declare keys: boolean
  #activeId: string | null = null
  #width = 0
  readonly #resize = new ResizeObserver(() => this.#measure())

  constructor() {
    super()
    this.columns = []
    this.rows = []
    this.rowId = (row) => String((row as { id?: unknown }).id)
    this.selected = null
    this.sort = null
    this.loading = false
    this.skeleton = 10
    this.more = false
    this.total = null
    this.heading = ''
    this.note = ''
    this.footer = ''
    this.label = ''
    this.keys = false
    new Shortcuts(this, () => this.#shortcuts())
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resize.observe(this)
    this.#measure()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize.disconnect()
  }

  /** Gives the focus to a row, when it is there. */
  focusRow(id: string): boolean {
    this.#activeId = id
    this.requestUpdate()
    const row = [...this.renderRoot.querySelectorAll<HTMLElement>('tbody tr[data-id]')].find(
      ({ dataset }) => dataset['id'] === id
    )
    row?.focus()
    return row !== undefined
  }

  /** Gives the focus to the row that was last moved to or opened, or to the first. */
  focusActive(): boolean {
    const id = this.#active()
    return id !== null && this.focusRow(id)
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.#width === 0) this.#width = this.getBoundingClientRect().width
    if (changed.has('selected') && this.selected !== null) this.#activeId = this.selected
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('columns') && !changed.has('error')) return
    this.#placeColumns()
  }

  #measure(): void {
    const width = this.getBoundingClientRect().width
    if (width === this.#width) return
    const before = columnsAt(this.columns, this.#width)
    this.#width = width
    if (columnsAt(this.columns, width).length === before.length) return
    this.requestUpdate()
    void this.updateComplete.then(() => this.#placeColumns())
  }

  #placeColumns(): void {
    const columns = columnsAt(this.columns, this.#width)
    const style = this.renderRoot.querySelector('table')?.style
    style?.setProperty('--_columns', gridColumns(columns))
    style?.setProperty('--_narrow', gridColumns(columns.filter(({ wraps }) => wraps !== true)))
  }

  #shortcuts() {
    if (!this.keys) return []
    const move = (key: 'j' | 'k', word: string) => ({
      keys: key,
      label: `${this.label || this.heading || this.t('table.label')}: ${word}`,
      run: () => this.#moveFromAnywhere(key)
    })
    return [move('j', `${this.t('table.move')} ↓`), move('k', `${this.t('table.move')} ↑`)]
  }

  #moveFromAnywhere(key: 'j' | 'k'): void {
    const isStarted = this.#activeId !== null && this.#indexOf(this.#activeId) !== -1
    if (isStarted) this.#moveTo(moveBy(key, this.#indexOf(this.#active()), this.rows.length))
    else this.#moveTo(moveBy('Home', 0, this.rows.length))
  }

  #active(): string | null {
    if (this.#activeId !== null && this.#indexOf(this.#activeId) !== -1) return this.#activeId
    const first = this.rows[0]
    return first === undefined ? null : this.rowId(first)
  }

  #indexOf(id: string | null): number {
    return this.rows.findIndex((row) => this.rowId(row) === id)
  }

  #moveTo(index: number | undefined): void {
    const row = index === undefined ? undefined : this.rows[index]
    if (row === undefined) return
    const id = this.rowId(row)
    this.focusRow(id)
    this.send('keelson-move', { id, row })
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement
    if (!target.matches('tr')) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const from = this.#indexOf(target.dataset['id'] ?? null)
    if (event.key === 'Enter') {
      event.preventDefault()
      this.#open(from, target, event.shiftKey)
      return
    }
    const to = moveBy(event.key, from, this.rows.length)
    if (to === undefined) return
    event.preventDefault()
    this.#moveTo(to)
  }

  #onClick(event: MouseEvent): void {
    const target = event.target as HTMLElement
    const tr = target.closest<HTMLElement>('tr[data-id]')
    if (tr === null || event.button !== 0) return
    const index = this.#indexOf(tr.dataset['id'] ?? null)
    const isOwnLink = target.closest('a.open') !== null
    if (isOwnLink && (event.ctrlKey || event.metaKey || event.altKey)) return
    // With Shift the browser selects up to the row that is meant to be pressed.
    if (!isOwnLink && (target.closest(INTERACTIVE) || (!event.shiftKey && hasSelection()))) return
    this.#activeId = tr.dataset['id'] ?? null
    if (isOwnLink) {
      if (!this.#announceOpen(index, event.shiftKey)) event.preventDefault()
    } else this.#open(index, tr, event.shiftKey)
  }

  #open(index: number, tr: HTMLElement, shift: boolean): void {
    if (this.#announceOpen(index, shift)) tr.querySelector<HTMLAnchorElement>('a.open')?.click()
  }

  /** True when it was not cancelled: the link is then followed. Our own clicks fire no second event. */
  #announceOpen(index: number, shift: boolean): boolean {
    const row = this.rows[index]
    if (row === undefined || this.#isOpening) return true
    this.#isOpening = true
    queueMicrotask(() => {
      this.#isOpening = false
    })
    const detail = { id: this.rowId(row), row, href: this.rowHref?.(row), shift }
    return this.send('keelson-open', detail, true)
  }
  #isOpening = false

  override render(): TemplateResult {
    const columns = columnsAt(this.columns, this.#width)
    const isEmpty = this.rows.length === 0
    const isFirst = isEmpty && this.loading
    const showsError = this.error !== undefined && this.error !== null && !this.loading
    return html`${this.#top()}
      <table
        part="table"
        role="table"
        class=${columns.some(({ least }) => least !== undefined) ? 'scrolls' : ''}
        aria-label=${this.label || this.heading || this.t('table.label')}
        aria-busy=${this.loading}
        aria-rowcount=${this.total === null ? (this.more ? -1 : nothing) : this.total + 1}
      >
        <thead role="rowgroup" part="head">
          <tr role="row" aria-rowindex="1">${columns.map((column) => this.#header(column))}</tr>
        </thead>
        <tbody
          role="rowgroup"
          class=${this.loading && !isEmpty ? 'waiting' : ''}
          @keydown=${this.#onKey}
          @click=${this.#onClick}
        >
          ${isFirst ? this.#bones(columns) : this.#rows(columns)}
        </tbody>
      </table>
      ${
        showsError
          ? html`<p class="failed" role="status">
            ${icon('alert', 14)}${errorText(this.error, this.t)}
            ${isEmpty ? nothing : html`<button class="link" @click=${() => this.send('keelson-retry', {})}>${this.t('ui.retry')}</button>`}
          </p>`
          : nothing
      }
      ${isEmpty && !isFirst && !showsError ? this.#empty() : nothing} ${this.#foot()}`
  }

  #top(): TemplateResult | typeof nothing {
    if (this.heading === '' && this.note === '') return nothing
    const keys = html`<span class="keys" aria-hidden="true"
      ><kbd>J</kbd> <kbd>K</kbd> ${this.t('table.move')} · <kbd>Enter</kbd> ${this.t('table.open')}</span
    >`
    return html`<div class="top">
      <h2>${this.heading}</h2>
      <span class="dim note"><wbr /><span>${this.note}</span></span>
      <span class="push"></span>
      ${this.keys ? keys : nothing}
      <slot name="actions"></slot>
    </div>`
  }

  #header(column: TableColumn<Row>): TemplateResult {
    const isSorted = this.sort?.column === column.id
    const direction = isSorted ? (this.sort?.direction ?? 'asc') : undefined
    const plain =
      column.header ||
      html`<span class="visually-hidden">${column.hiddenHeader ?? column.id}</span>`
    const sortable = html`<button
      class="sort"
      @click=${() => this.send('keelson-sort', nextSort(column, this.sort))}
    >
      ${column.header}${icon(direction === 'asc' ? 'arrow-up' : 'arrow-down', 12)}
    </button>`
    return html`<th
      role="columnheader"
      scope="col"
      class="${column.align === 'end' ? 'num' : ''} ${isSorted ? 'sorted' : ''} ${column.wraps ? 'wraps' : ''}"
      aria-sort=${isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : nothing}
    >${column.sort === undefined ? plain : sortable}</th>`
  }

  #rows(columns: readonly TableColumn<Row>[]): unknown {
    const active = this.#active()
    const linked = columns.find(({ link }) => link === true) ?? columns[0]
    return repeat(
      this.rows,
      (row) => this.rowId(row),
      (row, index) => {
        const id = this.rowId(row)
        const href = this.rowHref?.(row)
        return html`<tr
          role="row"
          part="row"
          data-id=${id}
          tabindex=${id === active ? 0 : -1}
          aria-rowindex=${index + 2}
          aria-current=${id === this.selected ? 'true' : nothing}
          aria-label=${this.rowLabel?.(row) ?? nothing}
        >
          ${columns.map((column) => this.#cell(column, row, column === linked ? href : undefined))}
        </tr>`
      }
    )
  }

  #cell(column: TableColumn<Row>, row: Row, href: string | undefined): TemplateResult {
    const content = column.cell(row)
    const classes = [
      column.align === 'end' ? 'num' : '',
      column.mono ? 'mono' : '',
      column.quiet ? 'dim' : '',
      column.wraps ? 'wraps' : ''
    ]
    return html`<td
      role="cell"
      part="cell"
      class=${classes.join(' ')}
      title=${column.hint?.(row) ?? nothing}
    >${href === undefined ? content : html`<a class="open" href=${href} tabindex="-1">${content}</a>`}</td>`
  }

  #bones(columns: readonly TableColumn<Row>[]): TemplateResult[] {
    return Array.from(
      { length: this.skeleton },
      () => html`<tr role="row" aria-hidden="true">
        ${columns.map(({ align }) => html`<td role="cell" class=${align === 'end' ? 'num' : ''}><span class="bone"></span></td>`)}
      </tr>`
    )
  }

  #empty(): TemplateResult {
    return html`<div class="empty"><slot name="empty">${this.t('table.empty')}</slot></div>`
  }

  #foot(): TemplateResult | typeof nothing {
    const count = this.rows.length
    if (count === 0) return nothing
    const { total } = this
    const key = !this.more && (total ?? count) === count ? 'all' : total === null ? 'shown' : 'of'
    const shown = this.t(`table.${key}`, { count, total: total ?? count })
    const button = html`<button
      class="btn"
      aria-disabled=${this.loading ? 'true' : nothing}
      @click=${() => this.loading || this.send('keelson-more', {})}
    >
      ${this.t(this.loading ? 'ui.loading' : 'table.more')}
    </button>`
    return html`<div class="foot" part="foot">
      <span>${this.footer || shown}</span><span class="push"></span>${this.more ? button : nothing}
    </div>`
  }
}

function hasSelection(): boolean {
  return (getSelection()?.toString() ?? '') !== ''
}
