// The filters of a page: read from its address, shown as chips, changed by links.
import { html, type TemplateResult } from 'lit'
import type { KeelsonPage } from '../keelson-page.ts'
import { addedParams, type ParamChanges } from '../param-changes.ts'
import type { Filter, FilterField } from './filter.ts'

/** How filters are written in an address. */
export interface FilterCodec {
  /** The filters of an address, in a fixed order. */
  read(params: URLSearchParams): Filter[]
  /** The parameters of these filters, and `null` for every parameter that none of them uses. */
  changes(filters: readonly Filter[]): ParamChanges
  /** The filters with one more, which may replace another. */
  add(filters: readonly Filter[], added: Filter): Filter[]
}

/** Filters of equality: each field is a parameter with one value. */
export function fieldFilters(fields: readonly string[]): FilterCodec {
  return {
    read: (params) =>
      fields.flatMap((field) => {
        const value = params.get(field) ?? ''
        return value === '' ? [] : [{ field, value }]
      }),
    changes: (filters) =>
      Object.fromEntries(
        fields.map((name) => [name, filters.find(({ field }) => field === name)?.value ?? null])
      ),
    add: (filters, added) => [...filters.filter(({ field }) => field !== added.field), added]
  }
}

/** Options of `Filters`. */
export interface FiltersOptions {
  readonly codec: FilterCodec
  /** Parameters that a change of the filters removes: an open row, a cursor. */
  readonly closes?: ParamChanges
}

/** The filters in force, with the links and the control that change them. */
export class Filters {
  readonly #page: KeelsonPage
  readonly #options: FiltersOptions

  constructor(page: KeelsonPage, options: FiltersOptions) {
    this.#page = page
    this.#options = options
  }

  /** The filters that the address names. */
  get value(): Filter[] {
    return this.#options.codec.read(this.#page.params)
  }

  /** The parameters that filter, and no others: a new object, to be completed into a request. */
  get params(): URLSearchParams {
    return new URLSearchParams(addedParams(this.#options.codec.changes(this.value)))
  }

  /** The changes of the address that show these filters. */
  changes(filters: readonly Filter[]): ParamChanges {
    return { ...this.#options.codec.changes(filters), ...this.#options.closes }
  }

  /** The address with one more filter, for links. */
  readonly href = (filter: Filter): string =>
    this.#page.address(this.changes(this.#options.codec.add(this.value, filter)))

  /** Goes to the address that leaves a value out. */
  readonly exclude = (filter: Filter): void =>
    this.#page.go(this.changes(this.#options.codec.add(this.value, { ...filter, not: true })))

  /** The filters as chips (`KeelsonFilterChips`), with the fields to add. F opens the list of fields. */
  chips(fields: readonly FilterField[]): TemplateResult {
    const { add } = this.#options.codec
    const onFilters = ({ detail }: CustomEvent<{ filters: Filter[] }>) =>
      this.#page.go(this.changes(detail.filters.reduce<Filter[]>(add, [])))
    return html`<keelson-filter-chips
      keys
      .fields=${fields}
      .filters=${this.value}
      @keelson-filters=${onFilters}
    ></keelson-filter-chips>`
  }
}
