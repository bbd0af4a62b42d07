// Styles of the watch panel.
import { css } from 'lit'

export const watchStyles = css`
  .parts { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
  .pad { padding: 12px 14px; }
  .head { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 20px; padding: 14px 14px 12px; align-items: end; color: var(--_ink-2); }
  .handed { font-size: 32px; font-weight: 640; letter-spacing: -0.025em; line-height: 1.1; color: var(--_ink); font-variant-numeric: tabular-nums; }
  .head p > span { font-size: var(--_text-lg); }
  .eta { text-align: end; min-block-size: 2.9em; }
  .eta b { color: var(--_ink); font-weight: 600; font-variant-numeric: tabular-nums; }
  .head .eta > span { font-size: var(--_text-sm); }
  .waves { display: grid; gap: 4px; padding: 0 14px 14px; }
  .waves .bar { display: block; block-size: 10px; background: var(--_sunken); box-shadow: inset 0 0 0 1px var(--_hair); border-radius: 3px; overflow: hidden; }
  .waves i { display: block; block-size: 100%; background: var(--_series-1); }
  .wave { display: block; margin-block-start: 6px; font-size: var(--_text-sm); color: var(--_ink-2); font-variant-numeric: tabular-nums; }
  .wave b { font-weight: 600; color: var(--_ink); }
  .waves.many { gap: 0; }
  .tracks { display: grid; gap: 2px; }
  .many .row { gap: 2px 18px; }
  .ledger { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); border-block-start: 1px solid var(--_hair); }
  .ledger li + li { border-inline-start: 1px solid var(--_hair); }
  .ledger a { display: grid; gap: 1px; padding: 11px 14px 12px; block-size: 100%; align-content: start; }
  .ledger a:hover { background: color-mix(in srgb, transparent, var(--_ink) 3%); }
  .ledger b { font-size: calc(var(--_text) * 1.4); font-weight: 620; font-variant-numeric: tabular-nums; }
  .ledger small { font-size: var(--_text-sm); min-block-size: 1.45em; }
  .ledger .on { background: var(--_warn-soft); }
  .label { display: flex; align-items: center; gap: 7px; color: var(--_ink-2); font-size: var(--_text-sm); font-weight: 600; }
  .label span { display: inline-block; }
  .label span::first-letter { text-transform: uppercase; }
  .label::before { content: ''; inline-size: 9px; block-size: 9px; border-radius: 2px; background: var(--c); flex: none; }
  .state { border-block-start: 1px solid var(--_hair); padding: 9px 14px; min-block-size: 38px; display: grid; gap: 4px; color: var(--_ink); }
  .note { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; padding: 9px 14px; border-block-start: 1px solid var(--_hair); color: var(--_ink-2); }
  .note > span { flex: 1 1 220px; }
  .rules, .report { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr) minmax(0, 1.9fr); }
  .rules > :only-child { grid-column: 1 / -1; }
  .rules > .card { display: flex; flex-direction: column; }
  .rules footer { margin-block-start: auto; font-size: var(--_text-sm); }
  .rule { flex: 1; align-content: center; padding: 10px 14px 11px; }
  .rule + .rule { border-block-start: 1px solid var(--_hair); }
  .rule p { display: flex; gap: 10px; font-variant-numeric: tabular-nums; }
  .rule .left { font-size: var(--_text-sm); color: var(--_ink-3); margin-block-start: 5px; }
  .rule.warn .left { color: var(--_warn); font-weight: 600; }
  .rule.bad .left { color: var(--_bad); font-weight: 600; }
  .track { display: block; block-size: 5px; margin-block-start: 4px; border-radius: 3px; background: var(--_sunken); box-shadow: inset 0 0 0 1px var(--_hair); position: relative; }
  .track i { position: absolute; inset-block: 0; inset-inline-start: 0; border-radius: 3px; background: var(--_good); min-inline-size: 2px; }
  .rule.warn .track i { background: var(--_warn); }
  .rule.bad .track i { background: var(--_bad); }
  .track u { position: absolute; inset-inline-start: 66.67%; inset-block: -3px; inline-size: 2px; background: var(--_ink-2); border-radius: 1px; }
  .rules > :only-child { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .rules > :only-child > :not(.rule) { grid-column: 1 / -1; }
  .scroll { overflow-x: auto; }
  @media (max-width: 560px) { .scroll th, .scroll td { padding-inline: 8px; } .scroll td .dim { display: block; } }
  tr.rest td { color: var(--_ink-2); background: var(--_sunken); }
  table { border-collapse: collapse; inline-size: 100%; }
  th, td { padding: 7px 14px; text-align: start; border-block-end: 1px solid var(--_hair); font-weight: inherit; }
  th { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  th.num, td.num { text-align: end; white-space: nowrap; }
  .arm { display: inline-grid; place-items: center; min-inline-size: 22px; block-size: 22px; padding-inline: 5px; margin-inline-end: 6px; border-radius: 6px; background: var(--c); color: var(--_accent-ink); font-size: var(--_text-sm); font-weight: 700; }
  .ci { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 250px); gap: 10px 18px; align-items: center; padding: 12px 14px 13px; color: var(--_ink-2); }
  .ci b { color: var(--_ink); font-weight: 600; }
  .ci svg { inline-size: 100%; block-size: 46px; overflow: visible; }
  .ci .axis { stroke: var(--_hair-strong); }
  .ci .zero { stroke: var(--_ink-3); stroke-dasharray: 3 3; }
  .ci rect { fill: var(--_series-2); opacity: 0.28; }
  .ci circle { fill: var(--_series-2); }
  .ci text { fill: var(--_ink-2); font-size: 11px; }
  .outcome { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 9px 14px; align-items: center; padding: 12px 14px; margin: 0; }
  .outcome dt { font-weight: 600; }
  .outcome dd { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 260px); gap: 4px 12px; align-items: center; margin: 0; }
  .stacked { display: flex; block-size: 18px; border-radius: 4px; overflow: hidden; background: var(--_sunken); box-shadow: inset 0 0 0 1px var(--_hair); }
  .stacked .people { background: var(--_series-1); }
  .stacked .machine { background: repeating-linear-gradient(135deg, var(--_ghost) 0 3px, transparent 3px 7px), var(--_surface); }
  .figures { font-variant-numeric: tabular-nums; }
  .figures b { font-weight: 600; }
  .report { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .report > .card { min-block-size: 176px; }
  .links { max-block-size: 190px; overflow-y: auto; }
  .url { white-space: nowrap; }
  .share { inline-size: 70px; block-size: 6px; align-self: center; border-radius: 3px; background: var(--_sunken); overflow: hidden; flex: none; }
  .share i { display: block; block-size: 100%; background: var(--_series-1); }
  .machines { min-inline-size: 84px; }
  .key { display: inline-flex; align-items: center; gap: 5px; }
  .key i { inline-size: 9px; block-size: 9px; border-radius: 2px; margin-inline-start: 6px; }
  .opens { background: var(--_series-1); }
  .clicks { background: var(--_series-2); }
  .hours { display: flex; align-items: stretch; gap: 2px; block-size: 96px; margin: 12px 14px 0; border-block-end: 1px solid var(--_hair-strong); }
  .hours li { flex: 1 1 0; min-inline-size: 0; display: flex; align-items: flex-end; gap: 1px; position: relative; }
  .hours i { flex: 1 1 0; border-radius: 2px 2px 0 0; }
  .ends { display: flex; justify-content: space-between; padding: 4px 14px 10px; font-size: var(--_text-sm); }
  .chips .btn { block-size: 28px; border-radius: 14px; font-variant-numeric: tabular-nums; }
  @media (max-width: 900px) {
    .rules, .report, .rules > :only-child { grid-template-columns: minmax(0, 1fr); }
  }
  @media (max-width: 760px) {
    .head, .ci { grid-template-columns: minmax(0, 1fr); }
    .eta { text-align: start; }
    .waves { grid-template-columns: minmax(0, 1fr) !important; row-gap: 8px; }
    .ledger { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .ledger li { border-block-end: 1px solid var(--_hair); }
    .ledger li:nth-child(odd) { border-inline-start: 0; }
    .ledger li:last-child { grid-column: 1 / -1; border-block-end: 0; }
    .outcome, .outcome dd { grid-template-columns: minmax(0, 1fr); gap: 4px; }
    .machines, .links .share { display: none; }
    .chips .btn { block-size: 34px; border-radius: 17px; }
  }
`
