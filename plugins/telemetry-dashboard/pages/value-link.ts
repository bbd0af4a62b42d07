// A value that filters when it is pressed, and is left out when it is pressed with Shift: by pointer or key.
import { html, nothing, type TemplateResult } from 'lit'
import type { FilterValue } from './records/record.ts'

export interface ValueLinks {
  /** The address that shows only this value. */
  filterHref(filter: FilterValue): string
  /** Goes to the address without this value; left out where there is nothing to leave it out of. */
  exclude?(filter: FilterValue): void
  t(key: string, values?: Record<string, string>): string
}

/** Acts on a click with Shift, in place of following the link. */
export const onShift =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (!event.shiftKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }

/**
 * In a row that opens something the keyboard goes to the row, which shows the same links: `isAside` leaves
 * them out of the order of Tab.
 */
export function valueLink(
  links: ValueLinks,
  filter: FilterValue,
  content: unknown,
  isAside = false
): TemplateResult {
  const { exclude } = links
  const hint = filter.not === true ? 'exclude' : exclude === undefined ? 'filterBy' : 'filterOr'
  return html`<a
    part="value"
    href=${links.filterHref(filter)}
    title=${links.t(`record.${hint}`, { value: filter.value })}
    tabindex=${isAside ? '-1' : nothing}
    @click=${onShift(() => exclude?.(filter))}
  >${content}</a>`
}
