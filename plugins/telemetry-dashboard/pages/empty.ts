// Why a list is empty, and what to do about it.
import {
  define,
  type Filter,
  KeelsonEmpty,
  type ParamChanges,
  type Range,
  rangeParams,
  type TableEmpty
} from '@keelson/ui'
import { html } from 'lit'
import { attrKey, filterChanges } from './address.ts'
import type { Look } from './look.ts'
import type { RegistryAnswer } from './registry.ts'
import { widerRange } from './wider-range.ts'

export interface EmptyAction {
  readonly label: string
  readonly values: Readonly<Record<string, string>>
  /** What the address becomes. */
  readonly changes: ParamChanges
}

export interface EmptyReason {
  /** Keys of the catalog. */
  readonly heading: string
  readonly text: string
  readonly values: Readonly<Record<string, string>>
  readonly actions: readonly EmptyAction[]
}

/** Filters that are offered for removal one by one. */
const MOST_REMOVALS = 4

const widen = (range: Range): EmptyAction[] => {
  const wider = widerRange(range)
  return wider === undefined
    ? []
    : [{ label: 'empty.widen', values: { range: wider }, changes: rangeParams({ range: wider }) }]
}

const without = (filters: readonly Filter[], gone: Filter): EmptyAction => ({
  label: 'empty.remove',
  values: { value: gone.value },
  changes: filterChanges(filters.filter((filter) => filter !== gone))
})

/** A filter that can match nothing whatever is recorded. */
function contradiction(
  filters: readonly Filter[],
  { registry }: RegistryAnswer
): EmptyReason | undefined {
  const wanted = filters.filter(({ not }) => not !== true)
  const find = (field: string) => wanted.find((filter) => filter.field === field)
  const name = find('name')
  const kind = find('kind')
  const attr = wanted.find(({ field }) => attrKey(field) !== undefined)
  if (name === undefined) return undefined
  const entry = registry[name.value]
  const because = (
    heading: string,
    text: string,
    gone: Filter,
    values: Record<string, string>
  ) => ({
    heading,
    text,
    values: { name: name.value, ...values },
    actions: [without(filters, gone)]
  })
  // Built-in names (otlp.span) are not in the registry and take any attribute.
  if (entry === undefined) {
    return name.value.startsWith('otlp.')
      ? undefined
      : because('empty.unknown', 'empty.unknownText', name, {})
  }
  if (kind !== undefined && kind.value !== entry.kind) {
    return because('empty.kind', 'empty.kindText', kind, { kind: entry.kind, asked: kind.value })
  }
  const key = attr === undefined ? undefined : attrKey(attr.field)
  if (attr !== undefined && key !== undefined && !entry.attrKeys.includes(key)) {
    return because('empty.attr', 'empty.attrText', attr, { key })
  }
  return undefined
}

/** The reason, best guess first: a filter that cannot match, filters, or the range. */
export function whyEmpty(
  filters: readonly Filter[],
  range: Range,
  registry: RegistryAnswer | undefined
): EmptyReason {
  const impossible = registry === undefined ? undefined : contradiction(filters, registry)
  if (impossible !== undefined) return impossible
  if (filters.length === 0) {
    return { heading: 'empty.none', text: 'empty.noneText', values: {}, actions: widen(range) }
  }
  const removals = filters.slice(0, MOST_REMOVALS).map((filter) => without(filters, filter))
  const clear: EmptyAction[] =
    filters.length > 1 ? [{ label: 'empty.clear', values: {}, changes: filterChanges([]) }] : []
  return {
    heading: 'empty.filtered',
    text: 'empty.filteredText',
    values: {},
    actions: [...widen(range), ...removals, ...clear]
  }
}

/** Defines the element that shows it, for a page that loads this module late. */
export const registerEmpty = (): void => define(KeelsonEmpty)

/** Why a list is empty, and the ways out. */
export function emptyList({ page, range }: Look, reason: EmptyReason): TableEmpty {
  const closed = range.closing
  return {
    heading: page.t(reason.heading, reason.values),
    text: page.t(reason.text, reason.values),
    action: html`<div class="actions">
      ${reason.actions.map(
        ({ label, values, changes }) =>
          html`<a class="btn" href=${page.address({ ...changes, ...closed })}
            >${page.t(label, values)}</a
          >`
      )}
    </div>`
  }
}
