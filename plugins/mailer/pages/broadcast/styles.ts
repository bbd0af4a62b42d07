// Styles of the Broadcast page.
import { css } from 'lit'

export const broadcastStyles = css`
  .pad { padding: 12px 14px; }
  .pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); gap: 10px; align-items: end; }
  .filter .pick { flex: 1 1 130px; }
  .counted { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; min-block-size: 22px; }
  .big { font-size: var(--_text-lg); color: var(--_ink); font-variant-numeric: tabular-nums; }
  .headline { margin: 0 0 6px; }
  .figure { font-size: var(--_text-figure); font-weight: 650; font-variant-numeric: tabular-nums; }
  progress { inline-size: 100%; block-size: 8px; accent-color: var(--_accent); margin-block-end: 10px; }
  .count { display: inline-flex; gap: 6px; align-items: center; font-variant-numeric: tabular-nums; min-block-size: 24px; }
  .bars > li { align-items: center; flex-wrap: wrap; }
  .bars .name { inline-size: 110px; }
  .bars .bar-of { flex: 1 1 120px; }
  .bar-of svg { display: block; inline-size: 100%; block-size: 6px; border-radius: 3px; }
  .bar-of rect { fill: var(--_sunken); }
  .bar-of rect + rect { fill: var(--_accent); }
  .bars .figures { flex: 0 1 auto; font-variant-numeric: tabular-nums; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; inline-size: 100%; }
  th, td { padding: 7px 14px; text-align: start; border-block-end: 1px solid var(--_hair); font-weight: inherit; }
  th { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  th.num, td.num { text-align: end; }
`
