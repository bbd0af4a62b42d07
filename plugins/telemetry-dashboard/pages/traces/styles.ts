// Styles of the Traces page.
import { css } from 'lit'

export const tracesStyles = css`
  .plot { position: relative; padding-block-start: 6px; padding-left: 40px; }
  .axis { position: absolute; inset: 6px 0 auto; inline-size: 100%; block-size: 120px; overflow: visible; pointer-events: none; font-size: var(--_text-sm); fill: var(--_ink-3); stroke: none; }
  .axis line { stroke: var(--_hair); }
  .axis text { text-anchor: end; direction: ltr; }
  .histogram { container-type: inline-size; }
  .few { display: none; }
  /* Twenty bars would be narrower than 24 pixels, which is what a finger needs. */
  @container (max-width: 600px) {
    .many { display: none; }
    .few { display: block; }
  }
  .bars svg { display: block; inline-size: 100%; block-size: 100%; fill: var(--_series-1); }
  .bars { display: flex; align-items: end; gap: 2px; block-size: 120px; }
  .bars li { flex: 1 1 24px; block-size: 100%; }
  .bars a { display: block; block-size: 100%; border-radius: 2px; }
  .bars a:hover { background: color-mix(in srgb, transparent, var(--_ink) 6%); }
  .scope a[aria-current='true'] { background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); font-weight: 600; }
  /* As high as it is with its first rows and its footer. */
  .groups { display: block; min-block-size: 288px; }
  .pick { inline-size: auto; max-inline-size: 190px; }
  .ends { min-block-size: 18px; display: flex; justify-content: space-between; font-size: var(--_text-sm); }
`
