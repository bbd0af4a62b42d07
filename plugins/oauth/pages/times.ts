// Times as lists show them.
import type { Format } from '@keelson/ui'
import { html } from 'lit'

const DAY = 86_400_000

/** Relative up to a day, then the date; the tooltip of the cell has the whole of it. */
export function timeWords(at: string | undefined, format: Format, never: string): unknown {
  if (at === undefined) return html`<span class="dim">${never}</span>`
  const isFresh = Math.abs(Date.now() - Date.parse(at)) < DAY
  const words = isFresh ? format.relative(at) : format.date(at)
  return html`<time datetime=${at}>${words}</time>`
}
