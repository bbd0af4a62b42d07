// The input of one filter: first the field, then its value, with suggestions for both.
import { html, nothing, type TemplateResult } from 'lit'
import {
  type Filter,
  type FilterField,
  matching,
  readTyped,
  wordsOf
} from '../../controllers/filter.ts'
import { Load } from '../../controllers/load.ts'
import { KeelsonElement } from '../element.ts'
import { filterInputStyles } from './input-styles.ts'
import { matchingWords } from './matching-words.ts'

/** How long to wait for the next key before asking for suggestions, in milliseconds. */
const PAUSE = 120

interface Option {
  readonly label: string
  take(): void
}

/** @fires keelson-filter - The finished `Filter`. @fires keelson-close */
export class KeelsonFilterInput extends KeelsonElement {
  static readonly tag = 'keelson-filter-input'
  static override readonly styles = filterInputStyles
  static override readonly properties = {
    fields: { attribute: false },
    filter: { attribute: false },
    typed: { attribute: false },
    _field: { state: true },
    _not: { state: true },
    _text: { state: true },
    _active: { state: true }
  }
  declare fields: readonly FilterField[]
  declare filter: Filter | undefined
  /** What was typed before this was loaded; a line feed at its end is Enter. */
  declare typed: string
  declare _field: FilterField | undefined
  declare _not: boolean
  declare _text: string
  declare _active: number
  readonly #suggestions = new Load(this, {
    args: () => (this._field === undefined ? null : ([this._field, this._text] as const)),
    run: ([field, text], signal) => suggest(field, text, signal)
  })

  constructor() {
    super()
    this.fields = []
    this.filter = undefined
    this.typed = ''
    this._field = undefined
    this._not = false
    this._text = ''
    this._active = 0
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('pointerdown', this.#onOutside, true)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('pointerdown', this.#onOutside, true)
  }

  protected override willUpdate(): void {
    if (this.hasUpdated) return
    if (this.filter !== undefined) this.#show(this.filter)
    if (this.typed !== '') this.#read(this.typed.trimEnd())
  }

  #show({ field, value, not }: Filter): void {
    this._field = this.fields.find(({ id }) => id === field) ?? { id: field, label: field }
    this._not = not === true
    this._text = wordsOf(this._field, value)
  }

  protected override firstUpdated(): void {
    const input = this.#input()
    input?.focus()
    if (this.typed === '') input?.select()
    else if (this.typed.endsWith('\n')) this.#options()[0]?.take()
  }

  readonly #onOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.send('keelson-close', {})
  }

  #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input')
  }

  #options(): readonly Option[] {
    const field = this._field
    if (field === undefined) return this.#fieldOptions()
    const typed = this._text.trim()
    // Until the answer is there, those of the text before are shown.
    const found = matchingWords(field, this.#suggestions.value ?? [], typed)
    const options = found.map((value) => ({
      label: wordsOf(field, value),
      take: () => this.#finish(value)
    }))
    const isKnown = options.some(({ label }) => label === typed) || found.includes(typed)
    if (typed === '' || field.free === false || isKnown) return options
    const own = {
      label: this.t('filter.use', { value: typed }),
      take: () => this.#finish(typed)
    }
    return [...options, own]
  }

  #fieldOptions(): readonly Option[] {
    const labels = matching(
      this.fields.map(({ label }) => label),
      this._text
    )
    return labels.map((label) => ({ label, take: () => this.#choose(label) }))
  }

  #choose(label: string): void {
    this._field = this.fields.find((field) => field.label === label)
    this._text = ''
    this._active = 0
    this.#input()?.focus()
  }

  #finish(value: string): void {
    if (this._field === undefined) return
    const filter: Filter = { field: this._field.id, value, ...(this._not && { not: true }) }
    this.send('keelson-filter', filter)
  }

  #onInput(event: InputEvent): void {
    this.#read((event.target as HTMLInputElement).value)
  }

  #read(text: string): void {
    this._active = 0
    if (this._field !== undefined) {
      this._text = text
      return
    }
    const typed = readTyped(text, this.fields)
    this._field = typed.field
    this._not = typed.not
    this._text = typed.text
  }

  #onKey(event: KeyboardEvent): void {
    const options = this.#options()
    event.stopPropagation()
    switch (event.key) {
      case 'ArrowDown':
        this._active = Math.min(options.length - 1, this._active + 1)
        break
      case 'ArrowUp':
        this._active = Math.max(0, this._active - 1)
        break
      case 'Enter':
        options[this._active]?.take()
        break
      case 'Escape':
        this.send('keelson-close', {})
        break
      case 'Backspace':
        if (this._text !== '' || this._field === undefined) return
        this._field = undefined
        break
      default:
        return
    }
    event.preventDefault()
  }

  override render(): TemplateResult {
    const options = this.#options()
    const field = this._field
    const hint =
      field === undefined ? this.t('filter.field') : this.t('filter.value', { name: field.label })
    return html`<div class="line" @keydown=${this.#onKey}>
        ${field === undefined ? nothing : this.#prefix(field)}
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="options"
          aria-autocomplete="list"
          aria-activedescendant=${options.length === 0 ? nothing : `option-${this._active}`}
          aria-label=${hint}
          placeholder=${field === undefined ? hint : this.t('filter.type')}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${this._text}
          @input=${this.#onInput}
        />
      </div>
      <div id="options" role="listbox" aria-label=${hint} @pointerdown=${(event: Event) => event.preventDefault()}>
        ${options.map((option, at) => this.#option(option, at))}
      </div>
      ${options.length === 0 ? html`<p role="status">${this.t(this.#suggestions.isPending ? 'ui.loading' : 'filter.none')}</p>` : nothing}`
  }

  #prefix(field: FilterField): TemplateResult {
    const word = html`${this.t(this._not ? 'filter.isNot' : 'filter.is')}`
    if (field.negatable !== true) return html`<span class="prefix">${field.label}</span>`
    return html`<span class="prefix">${field.label}</span
      ><button class="not" aria-pressed=${this._not} @click=${() => {
        this._not = !this._not
        this.#input()?.focus()
      }}>${word}</button>`
  }

  #option(option: Option, at: number): TemplateResult {
    return html`<div
      id="option-${at}"
      role="option"
      aria-selected=${at === this._active}
      @click=${() => option.take()}
    >${option.label}</div>`
  }

  protected override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }
}

async function suggest(
  field: FilterField,
  text: string,
  signal: AbortSignal
): Promise<readonly string[]> {
  const { values } = field
  if (values === undefined) return []
  if (typeof values !== 'function') return matchingWords(field, values, text)
  if (text !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE))
  return signal.aborted ? [] : matchingWords(field, await values(text, signal), text)
}
