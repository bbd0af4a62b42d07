// Styles of the Alerts page.
import { css } from 'lit'

export const alertsStyles = css`
  .alert-form { display: grid; gap: 12px; color: var(--_ink); }
  .alert-form label:not(.check) { display: grid; gap: 3px; }
  .alert-form label > span, legend { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  fieldset { display: grid; gap: 10px; margin: 0; padding: 10px 12px 12px; border: 1px solid var(--_hair); border-radius: var(--_radius); min-inline-size: 0; }
  legend { padding-inline: 4px; }
  .pair { display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); align-items: end; }
  .tried { display: grid; gap: 6px; padding: 8px 10px; background: var(--_sunken); border-radius: var(--_radius); }
  .plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 6px; font-size: var(--_text-xs); }
  .scale { display: grid; align-content: space-between; text-align: end; font-variant-numeric: tabular-nums; }
  .ends { grid-column: 2; display: flex; justify-content: space-between; gap: 8px; }
  span.limit { color: var(--_bad); font-size: var(--_text-xs); text-align: end; }
  polyline.zero { stroke: var(--_hair-strong); }
  polyline.limit { stroke: var(--_bad); stroke-dasharray: 4 3; }
  .course { inline-size: 100%; block-size: 80px; fill: none; stroke: var(--_series-1); stroke-width: 1.5; overflow: visible; }
  .fired { fill: var(--_bad); stroke: none; opacity: 0.6; }
  .head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .rule section { padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .rule section:last-child { border: 0; }
  .rule h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 4px; }
  .rule li { padding-block: 3px; display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; }
  .fresh {
    display: flex; align-items: center; gap: 8px; margin-block: 10px; padding: 10px 12px;
    border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_sunken); color: var(--_ink);
  }
  .fresh code { flex: 1; font-family: var(--_mono); overflow-wrap: anywhere; user-select: all; }
`
