// Times as lists show them.
import { type Format, timeText } from '@keelson/ui'
import { html } from 'lit'

/** Relative up to a day, then day and time; the tooltip of the cell has the whole of it. */
export function timeWords(at: string | undefined, format: Format, never: string): unknown {
  if (at === undefined) return html`<span class="dim">${never}</span>`
  return html`<time datetime=${at}>${timeText(at, Date.now(), format)}</time>`
}
