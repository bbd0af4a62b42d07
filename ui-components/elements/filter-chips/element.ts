// Filters as chips: added with suggestions, changed by pressing, removed by key or button.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { type Filter, type FilterField, withFilter, wordsOf } from '../../controllers/filter.ts'
import { Shortcuts } from '../../controllers/shortcuts.ts'
import { define } from '../../define.ts'
import { icon } from '../../icons.ts'
import { KeelsonElement } from '../element.ts'
import { filterChipsStyles } from './styles.ts'

/**
 * The filters in force.
 *
 * @fires keelson-filters - `{filters}`: the new complete list.
 * @slot - More controls at the end of the line.
 * @csspart chip, add, popover
 */
export class KeelsonFilterChips extends KeelsonElement {
  static readonly tag = 'keelson-filter-chips'
  static override readonly styles = filterChipsStyles
  static override readonly properties = {
    fields: { attribute: false },
    filters: { attribute: false },
    keys: { type: Boolean },
    _editing: { state: true }
  }
  declare fields: readonly FilterField[]
  declare filters: readonly Filter[]
  declare keys: boolean
  /** Index of the filter that is being changed, `new`, or nothing. */
  declare _editing: number | 'new' | undefined
  /** What was typed before the input was loaded, and a line feed for Enter. */
  #early = ''
  /** Index of the chip that is asked to go, until it has gone; -1 for none. */
  #leaving = -1

  constructor() {
    super()
    this.fields = []
    this.filters = []
    this.keys = false
    this._editing = undefined
    new Shortcuts(this, () =>
      this.keys ? [{ keys: 'f', label: this.t('filter.add'), run: () => this.open() }] : []
    )
  }

  /** The input is a separate file: the page is drawn before it is loaded. */
  protected override firstUpdated(): void {
    void import('./input.ts').then(({ KeelsonFilterInput }) => {
      define(KeelsonFilterInput)
      this.requestUpdate()
    })
  }

  /** Opens the input for a new filter. */
  open(): void {
    this._editing = 'new'
  }

  #fieldOf({ field }: Filter): FilterField | undefined {
    return this.fields.find(({ id }) => id === field)
  }

  #change(filters: readonly Filter[]): void {
    this.send('keelson-filters', { filters })
  }

  #remove(index: number): void {
    this.#close()
    this.#leaving = index
    this.#change(this.filters.filter((_, at) => at !== index))
  }

  /** Keeps the reader's place when a chip has gone: the next one, else the last, else the button. */
  protected override updated(changed: PropertyValues<this>): void {
    this.renderRoot.querySelector('input')?.focus()
    const { length } = this.filters
    if (this.#leaving < 0 || (changed.get('filters')?.length ?? 0) <= length) return
    const places = this.renderRoot.querySelectorAll<HTMLElement>('.edit, .add')
    places[Math.max(0, Math.min(this.#leaving, length - 1))]?.focus()
    this.#leaving = -1
  }

  #commit(filter: Filter): void {
    const replaced = typeof this._editing === 'number' ? this._editing : undefined
    const field = this.#fieldOf(filter)
    this.#close()
    this.#change(withFilter(this.filters, filter, field, replaced))
  }

  #close(): void {
    const editing = this._editing
    this._editing = undefined
    this.#early = ''
    const selector = typeof editing === 'number' ? `[data-at="${editing}"] .edit` : '.add'
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(selector)?.focus()
    )
  }

  #onChipKey(event: KeyboardEvent, index: number): void {
    if (event.key !== 'Backspace' && event.key !== 'Delete') return
    event.preventDefault()
    this.#remove(index)
  }

  override render(): TemplateResult {
    return html`<ul aria-label=${this.t('filter.list')}>
      ${this.filters.map((filter, at) => this.#chip(filter, at))}
      <li class="place">
        <button
          class="add"
          part="add"
          aria-haspopup="dialog"
          aria-expanded=${this._editing === 'new'}
          @click=${() => this.open()}
        >
          ${icon('plus', 12)}${this.t('filter.add')}${this.keys ? html`<kbd aria-hidden="true">F</kbd>` : nothing}
        </button>
        ${this._editing === 'new' ? this.#input(undefined) : nothing}
      </li>
      <li class="rest"><slot></slot></li>
    </ul>`
  }

  #chip(filter: Filter, at: number): TemplateResult {
    const field = this.#fieldOf(filter)
    const label = field?.label ?? filter.field
    const value = wordsOf(field, filter.value)
    const name = `${label} ${filter.not ? `${this.t('filter.not')} ` : ''}${value}`
    return html`<li class="place" data-at=${at} @keydown=${(event: KeyboardEvent) => this.#editing(at) || this.#onChipKey(event, at)}>
      <span class="chip" part="chip">
        <button class="edit" aria-label=${this.t('filter.edit', { name })} @click=${() => {
          this._editing = at
        }}
          ><i>${label}</i>${filter.not ? html` <em>${this.t('filter.not')}</em>` : nothing} <b>${value}</b></button
        ><button class="x" aria-label=${this.t('filter.remove', { name })} @click=${() => this.#remove(at)}
          >${icon('close', 12)}</button>
      </span>
      ${this.#editing(at) ? this.#input(filter) : nothing}
    </li>`
  }

  #editing(at: number): boolean {
    return this._editing === at
  }

  #input(filter: Filter | undefined): TemplateResult {
    if (customElements.get('keelson-filter-input') === undefined) return this.#placeholder()
    return html`<keelson-filter-input
      part="popover"
      .fields=${this.fields}
      .filter=${filter}
      .typed=${this.#early}
      @keelson-filter=${(event: CustomEvent<Filter>) => {
        event.stopPropagation()
        this.#commit(event.detail)
      }}
      @keelson-close=${(event: Event) => {
        event.stopPropagation()
        if (this._editing !== undefined) this.#close()
      }}
    ></keelson-filter-input>`
  }

  /** Takes the keys until the input is loaded. */
  #placeholder(): TemplateResult {
    return html`<input
      class="field"
      aria-label=${this.t('filter.add')}
      @input=${({ target }: Event) => {
        this.#early = (target as HTMLInputElement).value
      }}
      @keydown=${({ key }: KeyboardEvent) => {
        if (key === 'Enter') this.#early += '\n'
        if (key === 'Escape') this.#close()
      }}
    />`
  }
}
