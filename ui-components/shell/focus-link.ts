// After Back, the focus goes to the link that was followed, once the page has drawn it.
import { BusyEvent } from '../page.ts'

/** A link to a path, through shadow roots. */
function linkTo(path: string, within: ParentNode): HTMLElement | undefined {
  for (const one of within.querySelectorAll<HTMLElement>('*')) {
    if (one instanceof HTMLAnchorElement && one.pathname === path) return one
    const inside = one.shadowRoot === null ? undefined : linkTo(path, one.shadowRoot)
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Looks now and with each answer that the page gets, until the link is there or the viewer does something. */
export function focusLink(path: string, page: HTMLElement): void {
  const ends = new AbortController()
  const { signal } = ends
  const look = () =>
    requestAnimationFrame(() => {
      const link = signal.aborted ? undefined : linkTo(path, page.shadowRoot ?? page)
      if (link === undefined) return
      ends.abort()
      link.focus()
      link.scrollIntoView({ block: 'nearest' })
    })
  const end = () => ends.abort()
  addEventListener('pointerdown', end, { signal, capture: true })
  addEventListener('keydown', end, { signal, capture: true })
  page.addEventListener(BusyEvent.type, look, { signal })
  look()
}
