// Fields that narrow a list: a text, or one of a few values, written to a parameter of the address.
import { html, nothing, type TemplateResult } from 'lit'
import type { KeelsonPage } from '../keelson-page.ts'

/** How a text field narrows. */
export interface SearchFieldOptions {
  /** Narrows with each letter, for lists that are read whole. Default: when it is entered. */
  readonly live?: boolean
  /** The id of a `datalist` beside it. */
  readonly list?: string
  readonly slot?: string
  /** Parameters that go when it changes: an open row. */
  readonly closes?: Readonly<Record<string, null>>
  /** Class of the input beside `field`. Default `search`. */
  readonly look?: 'search' | 'pick'
}

/** A field for a text, written to a parameter. */
export function searchField(
  page: KeelsonPage,
  param: string,
  label: string,
  { live = false, list, slot, closes, look = 'search' }: SearchFieldOptions = {}
): TemplateResult {
  const write = (event: Event) =>
    page.go(
      { ...closes, [param]: (event.target as HTMLInputElement).value.trim() },
      { replace: live }
    )
  return html`<input
    slot=${slot ?? nothing}
    list=${list ?? nothing}
    class="field ${look}"
    type="search"
    placeholder=${label}
    aria-label=${label}
    autocomplete="off"
    spellcheck="false"
    .value=${page.params.get(param) ?? ''}
    @input=${live ? write : nothing}
    @change=${live ? nothing : write}
  />`
}

/** How a choice narrows. */
export interface ChoiceFieldOptions extends Pick<SearchFieldOptions, 'slot' | 'closes'> {
  readonly label: string
  /** Values with their words, in order. The first one is that of an address without the parameter. */
  readonly choices: readonly (readonly [value: string, words: string])[]
  /** Default: the parameter of the address, else the first of the choices. */
  readonly chosen?: string
}

/** A choice, written to a parameter. */
export function choiceField(
  page: KeelsonPage,
  param: string,
  { label, choices, slot, closes, chosen = page.params.get(param) ?? '' }: ChoiceFieldOptions
): TemplateResult {
  return html`<select
    slot=${slot ?? nothing}
    class="field pick"
    aria-label=${label}
    @change=${(event: Event) => page.go({ ...closes, [param]: (event.target as HTMLSelectElement).value })}
  >
    ${choices.map(([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`)}
  </select>`
}
