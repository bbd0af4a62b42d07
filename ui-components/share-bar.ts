// A bar for a share, alone or with its number, and its styles for the table around it.
import { css, html, type TemplateResult } from 'lit'
import type { Format } from './format.ts'

/** A share, from 0 to 1, as a bar. */
export const shareBar = (share: number): TemplateResult => html`<svg
  part="share"
  viewBox="0 0 100 6"
  preserveAspectRatio="none"
  aria-hidden="true"
><rect part="track" width="100" height="6"></rect><rect part="fill" width=${Math.max(0, share * 100)} height="6"></rect></svg>`

/** A share of all as a bar with its number, in a cell of a table. */
export const shareCell = (
  share: number,
  format: Format,
  digits = share < 0.1 ? 1 : 0
): TemplateResult =>
  html`<span part="shared">${shareBar(share)}<span part="percent">${format.percent(share, digits, digits)}</span></span>`

/** Styles for pages with a `shareCell` in a `keelson-table`. */
export const shareStyles = css`
  keelson-table::part(shared) { display: flex; align-items: center; gap: 8px; }
  keelson-table::part(percent) { flex: 0 0 44px; text-align: end; }
  keelson-table::part(share) { inline-size: 100%; flex: 1 1 0; min-inline-size: 0; block-size: 6px; display: block; border-radius: 3px; }
  keelson-table::part(track) { fill: var(--_sunken); }
  keelson-table::part(fill) { fill: var(--_accent); opacity: 0.75; }
`
