// Styles of the table of series.
import { css } from 'lit'

export const seriesTableStyles = css`
  div { max-block-size: inherit; overflow: auto; }
  table { inline-size: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: 0 10px 0 0; block-size: 28px; border-block-end: 1px solid var(--_hair); white-space: nowrap; font-weight: 400; text-align: start; }
  th:last-child, td:last-child { padding-inline-end: 4px; }
  th.num, td.num { text-align: end; }
  thead th { font-weight: 600; color: var(--_ink-2); position: sticky; inset-block-start: 0; background: var(--_surface); font-size: var(--_text-sm); }
  button { color: var(--_accent); border-radius: 4px; }
  button:hover { text-decoration: underline; }
  tbody tr:last-child > * { border: 0; }
`
