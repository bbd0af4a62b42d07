// Styles of the Traces page.
import { css } from 'lit'

export const tracesStyles = css`
  .strip { block-size: 48px; cursor: crosshair; background: var(--_sunken); border-radius: 4px; touch-action: none; user-select: none; }
  .strip svg, .bars svg { display: block; inline-size: 100%; block-size: 100%; fill: var(--_series-1); }
  .strip .aside { opacity: 0.45; }
  .strip .bad { fill: var(--_bad); }
  .strip .shade { fill: var(--_surface); opacity: 0.75; }
  .bars { display: flex; align-items: end; gap: 2px; block-size: 96px; overflow-x: auto; border-block-end: 1px solid var(--_hair); }
  .bars li { flex: 1 0 24px; block-size: 100%; }
  .bars a { display: block; block-size: 100%; border-radius: 2px; }
  .bars a:hover { background: var(--_sunken); }
  .ends { display: flex; justify-content: space-between; font-size: var(--_text-sm); }
  .id { max-inline-size: min(300px, 42vw); }
  keelson-table::part(lane) { display: block; inline-size: 100%; block-size: 14px; }
  keelson-table::part(bar) { fill: var(--_series-1); }
  keelson-table::part(aside) { opacity: 0.4; }
  keelson-table::part(bad) { fill: var(--_bad); opacity: 1; }
  keelson-table::part(step) { display: inline-block; inline-size: 14px; block-size: 1em; border-inline-start: 1px solid var(--_hair-strong); vertical-align: -2px; }
`
