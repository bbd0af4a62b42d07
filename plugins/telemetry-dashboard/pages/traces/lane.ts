// What the list of spans and the waterfall of one trace draw alike.
import { css, html, nothing, type TemplateResult } from 'lit'
import type { RecordRow } from '../records/record.ts'

/** The least that can be seen, in percent. */
const LEAST = 0.4

/** A bar from `start` to `start + width`, both in percent. What takes no time is drawn at the very end too. */
export function lane(start: number, width: number, part: string, name = 'lane'): TemplateResult {
  const drawn = Math.max(LEAST, width)
  return html`<svg part=${name} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"
    ><rect part=${part} x=${Math.min(start, 100 - drawn)} width=${drawn} y="2" height="6"></rect
  ></svg>`
}

export const laneStyles = css`
  keelson-table::part(lane) { display: block; inline-size: 100%; block-size: 14px; }
  keelson-table::part(bar) { fill: var(--_series-1); }
`

/** Marks what ended badly. */
export const failed = (row: RecordRow, t: (key: string) => string) =>
  row.severity === 'error' || row.severity === 'fatal'
    ? html` <span class="tag bad">${t('traces.failed')}</span>`
    : nothing
