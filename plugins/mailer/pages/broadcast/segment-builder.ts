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

/** What the form shows and does. */
export interface SegmentBuilder {
  readonly t: Words['t']
  readonly filters: readonly SegmentFilter[]
  onFilters(filters: readonly SegmentFilter[]): void
}

/** The form. */
export function segmentBuilder({ t, filters: all, onFilters }: SegmentBuilder): TemplateResult {
  const { match, filters } = groupOf(all)
  const change = (next: readonly SegmentFilter[]) => onFilters(grouped(match, next))
  const replace = (at: number, filter: SegmentFilter) =>
    change(filters.map((one, index) => (index === at ? filter : one)))
  const remove = (at: number) => change(filters.filter((_, index) => index !== at))
  return html`<div class="stack pad">
    ${filters.length === 0 ? html`<p class="quiet">${t('broadcast.everyone')}</p>` : ''}
    ${filters.length < 2 ? '' : matchChoice(match, t, (next) => onFilters(grouped(next, filters)))}
    ${filters.map((filter, at) => line(filter, { t, at, replace, remove }))}
    <div><button class="btn" @click=${() => change([...filters, emptyFilter('hasTag')])}>${t('broadcast.addFilter')}</button></div>
  </div>`
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
  replace(at: number, filter: SegmentFilter): void
  remove(at: number): void
}

function line(filter: SegmentFilter, options: LineOptions): TemplateResult {
  const { t, at, replace, remove } = options
  const number = at + 1
  const kind = html`<select class="field pick" aria-label=${t('broadcast.filter', { number })}
    @change=${(event: Event) => replace(at, emptyFilter((event.target as HTMLSelectElement).value))}>
    ${KINDS.map((one) => html`<option value=${one} ?selected=${one === filter.kind}>${t(`broadcast.kind.${one}`)}</option>`)}
  </select>`
  return html`<div class="row filter" role="group" aria-label=${t('broadcast.filter', { number })}>
    ${isEditable(filter) ? html`${kind} ${(FIELDS[filter.kind] ?? []).map((field) => input(filter, field, options))}` : html`<code class="mono">${JSON.stringify(filter)}</code>`}
    <button class="btn quiet icon" aria-label=${t('broadcast.removeFilter', { number })} @click=${() => remove(at)}>×</button>
  </div>`
}

function input(
  filter: SegmentFilter,
  [name, type]: NonNullable<(typeof FIELDS)[string]>[number],
  { t, at, replace }: LineOptions
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
