// Where the focus is.

/** The element with the focus, through shadow roots. */
export function deepActive(): HTMLElement | null {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at instanceof HTMLElement ? at : null
}
