// Styles of the stat tile.
import { css } from 'lit'

export const statStyles = css`
  :host { background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius-lg); container-type: inline-size; }
  .tile { display: grid; grid-template-columns: fit-content(100%) minmax(0, 1fr); gap: 2px 10px; padding: 11px 14px 10px; }
  .top { grid-column: 1 / -1; display: flex; justify-content: space-between; align-items: baseline; gap: 10px; }
  .label { min-inline-size: 0; font-size: var(--_text-sm); color: var(--_ink-2); }
  .label a { color: inherit; }
  .label a:hover { color: var(--_accent); text-decoration: underline; }
  .source { font-size: var(--_text-xs); color: var(--_ink-3); white-space: nowrap; }
  .source.warn { color: var(--_warn); }
  .value {
    grid-column: 1; min-inline-size: 0; font-size: var(--_text-figure); font-weight: 620; letter-spacing: -0.02em; line-height: 1.2;
    font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
  }
  svg { grid-column: 2; inline-size: min(84px, 100%); justify-self: end; block-size: 30px; align-self: end; overflow: visible; }
  path { stroke: var(--_series-1); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
  :host([tone='bad']) path { stroke: var(--_bad); }
  .change { grid-column: 1 / -1; font-size: var(--_text-sm); min-block-size: 1.45em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-variant-numeric: tabular-nums; }
  .better { color: var(--_good); }
  .worse { color: var(--_bad); }
  .same { color: var(--_ink-3); }
  /* Two lines from the start: what comes later must not move the page. */
  @container (max-width: 250px) { .change { block-size: 2.9em; white-space: normal; } }
  @container (max-width: 190px) {
    .tile { padding: 9px 11px 8px; }
    svg { display: none; }
    .value { grid-column: 1 / -1; font-size: calc(var(--_text) * 1.7); }
  }
`
