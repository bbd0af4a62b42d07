// Styles of the page of one trace.
import { css } from 'lit'

export const traceStyles = css`
  .strip svg { display: block; inline-size: 100%; block-size: 100%; fill: var(--_series-1); }
  .strip { block-size: 48px; cursor: crosshair; background: var(--_sunken); border-radius: 4px; touch-action: none; user-select: none; }
  .strip .aside { opacity: 0.45; }
  .strip .bad { fill: var(--_bad); }
  .strip .shade { fill: var(--_surface); opacity: 0.75; }
  .id { max-inline-size: min(300px, 42vw); }
  keelson-table::part(under) { display: none; }
  @media (max-width: 480px) {
    keelson-table::part(row) { --_row: 46px; }
    keelson-table::part(cell) { line-height: 26px; }
    keelson-table::part(under) { display: block; inline-size: 100%; block-size: 10px; }
  }
  keelson-table::part(aside) { opacity: 0.4; }
  keelson-table::part(bad) { fill: var(--_bad); opacity: 1; }
  keelson-table::part(step) { display: inline-block; inline-size: 14px; block-size: 1em; border-inline-start: 1px solid var(--_hair-strong); vertical-align: -2px; }
`
