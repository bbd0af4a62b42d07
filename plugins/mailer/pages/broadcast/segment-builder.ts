// The filters of a segment as a form.
import { html, type TemplateResult } from 'lit'
import { COMPARISONS } from '../../audience/segments/compare.ts'
import type { SegmentFilter } from '../../audience/segments/segment-schema.ts'
import {
  emptyFilter,
  FIELDS,
  fieldOf,
  grouped,
  groupOf,
  isEditable,
  KINDS,
  withField
} from './segment.ts'
import type { Words } from './words.ts'

const STATUSES = ['subscribed', 'pending_doi', 'unsubscribed', 'bounced', 'complained'] as const

/** The first is what a filter without one means. */
const DIRECTIONS = ['past', 'future'] as const

/** A segment that may be chosen. */
export interface NamedSegment {
  readonly slug: string
  readonly name: string
}

/** What the form shows and does. */
export interface SegmentBuilder {
  readonly t: Words['t']
  readonly filters: readonly SegmentFilter[]
  /** Segments with names, to choose from. */
  readonly named: readonly NamedSegment[]
  onFilters(filters: readonly SegmentFilter[]): void
}

/** The form. */
export function segmentBuilder({
  t,
  filters: all,
  named,
  onFilters
}: SegmentBuilder): TemplateResult {
  const { match, filters } = groupOf(all)
  const change = (next: readonly SegmentFilter[]) => onFilters(grouped(match, next))
  const replace = (at: number, filter: SegmentFilter) =>
    change(filters.map((one, index) => (index === at ? filter : one)))
  const remove = (at: number) => change(filters.filter((_, index) => index !== at))
  return html`<div class="stack pad">
    ${filters.length === 0 ? html`<p class="quiet">${t('broadcast.everyone')}</p>` : ''}
    ${filters.length < 2 ? '' : matchChoice(match, t, (next) => onFilters(grouped(next, filters)))}
    ${filters.map((filter, at) => line(filter, { t, at, named, replace, remove }))}
    <div class="row"><button type="button" class="btn" @click=${() => change([...filters, emptyFilter('hasTag')])}>${t('broadcast.addFilter')}</button>
      <button type="button" class="btn quiet" @click=${() => change([...filters, newGroup(match)])}>${t('broadcast.addGroup')}</button></div>
  </div>`
}

/** A group is of the other kind than what it is in: else it would change nothing. */
const newGroup = (around: 'all' | 'any'): SegmentFilter => ({
  kind: around === 'all' ? 'any' : 'all',
  filters: [emptyFilter('hasTag'), emptyFilter('hasTag')]
})

type Group = Extract<SegmentFilter, { kind: 'any' | 'all' }>

/** Filters of which one is enough, or that must all hold; the last one takes the group with it. */
function group(filter: Group, { t, at, named, replace, remove }: LineOptions): TemplateResult {
  const number = at + 1
  const change = (filters: readonly SegmentFilter[]) =>
    filters.length === 0 ? remove(at) : replace(at, { ...filter, filters })
  const options = {
    t,
    named,
    replace: (index: number, one: SegmentFilter) =>
      change(filter.filters.map((old, place) => (place === index ? one : old))),
    remove: (index: number) => change(filter.filters.filter((_, place) => place !== index))
  }
  return html`<fieldset class="group"><legend class="quiet">${t('broadcast.group', { number })}</legend>
    <div class="row">${matchChoice(filter.kind, t, (kind) => replace(at, { ...filter, kind }))}
      <button type="button" class="btn quiet icon push" aria-label=${t('broadcast.removeGroup', { number })} @click=${() => remove(at)}>×</button></div>
    ${filter.filters.map((one, index) => line(one, { ...options, at: index }))}
    <div class="row"><button type="button" class="btn quiet" @click=${() => change([...filter.filters, emptyFilter('hasTag')])}>${t('broadcast.addToGroup', { number })}</button></div>
  </fieldset>`
}

/** Whether all filters must hold, or one of them is enough. */
function matchChoice(
  match: 'all' | 'any',
  t: Words['t'],
  onMatch: (match: 'all' | 'any') => void
): TemplateResult {
  return html`<select class="field pick" aria-label=${t('broadcast.match')}
    @change=${(event: Event) => onMatch((event.target as HTMLSelectElement).value === 'any' ? 'any' : 'all')}>
    ${(['all', 'any'] as const).map((one) => html`<option value=${one} ?selected=${one === match}>${t(`broadcast.match.${one}`)}</option>`)}
  </select>`
}

interface LineOptions {
  readonly t: Words['t']
  readonly at: number
  readonly named: readonly NamedSegment[]
  replace(at: number, filter: SegmentFilter): void
  remove(at: number): void
}

function line(filter: SegmentFilter, options: LineOptions): TemplateResult {
  const { t, at, replace, remove } = options
  if (filter.kind === 'any' || filter.kind === 'all') return group(filter, options)
  const number = at + 1
  const kind = html`<select class="field pick" aria-label=${t('broadcast.filter', { number })}
    @change=${(event: Event) => replace(at, emptyFilter((event.target as HTMLSelectElement).value))}>
    ${KINDS.map((one) => html`<option value=${one} ?selected=${one === filter.kind}>${t(`broadcast.kind.${one}`)}</option>`)}
  </select>`
  return html`<div class="row filter" role="group" aria-label=${t('broadcast.filter', { number })}>
    ${isEditable(filter) ? html`${kind} ${(FIELDS[filter.kind] ?? []).map((field) => input(filter, field, options))}` : html`<code class="mono">${JSON.stringify(filter)}</code>`}
    <button type="button" class="btn quiet icon" aria-label=${t('broadcast.removeFilter', { number })} @click=${() => remove(at)}>×</button>
  </div>`
}

function input(
  filter: SegmentFilter,
  [name, type]: NonNullable<(typeof FIELDS)[string]>[number],
  { t, at, named, replace }: LineOptions
): TemplateResult {
  const value = String(fieldOf(filter, name) ?? '')
  const label = t(`broadcast.field.${name}`)
  const onInput = (event: Event) =>
    replace(at, withField(filter, name, (event.target as HTMLInputElement).value))
  if (type === 'status')
    return html`<select class="field pick" aria-label=${label} @change=${onInput}>
      ${STATUSES.map((one) => html`<option value=${one} ?selected=${one === value}>${t(`broadcast.subscription.${one}`)}</option>`)}
    </select>`
  if (type === 'direction')
    return html`<select class="field pick" aria-label=${label} @change=${onInput}>
      ${DIRECTIONS.map((one) => html`<option value=${one} ?selected=${one === value}>${t(`broadcast.direction.${one}`)}</option>`)}
    </select>`
  if (type === 'segment')
    return html`<select class="field pick" aria-label=${label} @change=${onInput}>
      <option value="" ?selected=${value === ''}>${t('broadcast.chooseSegment')}</option>
      ${named.map(({ slug, name }) => html`<option value=${slug} ?selected=${slug === value}>${name}</option>`)}
    </select>`
  // The operator and the value of a property are asked for once it has a name.
  const isInside = type === 'operator?' || type === 'value?'
  if (isInside && fieldOf(filter, 'property.name') === undefined) return html``
  if (type === 'comparison' || type === 'operator?')
    return html`<select class="field pick" aria-label=${label} @change=${onInput}>
      ${(type === 'comparison' ? COMPARISONS : (['equals', ...COMPARISONS] as const)).map((one) => html`<option value=${one} ?selected=${one === value}>${t(`broadcast.comparison.${one}`)}</option>`)}
    </select>`
  const kind = type === 'date' ? type : type.startsWith('days') ? 'number' : 'text'
  return html`<input class="field pick" type=${kind} min="1" aria-label=${label} placeholder=${label} .value=${value} @input=${onInput} />`
}
