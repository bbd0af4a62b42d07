// A bar for a share of the largest, and its styles for the table that it stands in.
import { css, html, type TemplateResult } from 'lit'

export const shareBar = (share: number): TemplateResult => html`<svg
  part="share"
  viewBox="0 0 100 6"
  preserveAspectRatio="none"
  aria-hidden="true"
><rect part="track" width="100" height="6"></rect><rect part="fill" width=${Math.max(0, share * 100)} height="6"></rect></svg>`

export const shareStyles = css`
  keelson-table::part(share) { inline-size: 100%; block-size: 6px; display: block; border-radius: 3px; }
  keelson-table::part(track) { fill: var(--_sunken); }
  keelson-table::part(fill) { fill: var(--_accent); opacity: 0.75; }
`
