// Styles of the Journeys page.
import { css, unsafeCSS } from 'lit'

const shades = Array.from(
  { length: 11 },
  (_, at) =>
    `.retention .shade-${at} { background: color-mix(in srgb, var(--_surface), var(--_accent) ${at * 4.5}%); }`
).join('\n')

export const journeysStyles = css`
  .find { display: flex; gap: 6px; inline-size: min(340px, 100%); }
  .find .field { block-size: 30px; }
  .stages { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; min-block-size: 26px; }
  .stages .btn { block-size: 26px; font-size: var(--_text-sm); border-radius: 13px; }
  .stages b { font-variant-numeric: tabular-nums; }
  .funnel { display: grid; gap: 2px; }
  .funnel li { display: grid; grid-template-columns: minmax(0, 170px) 64px minmax(0, 1fr) 60px; gap: 2px 12px; align-items: center; padding-block: 5px; border-block-end: 1px solid var(--_hair); }
  .funnel li:last-child { border: 0; }
  .stage { font-weight: 600; overflow-wrap: anywhere; }
  .figure { text-align: end; font-variant-numeric: tabular-nums; color: var(--_accent); font-weight: 600; border-radius: 4px; }
  .figure:hover, .stopped:hover { text-decoration: underline; }
  .bar svg { inline-size: 100%; block-size: 12px; display: block; border-radius: 4px; }
  .bar [part='track'] { fill: var(--_sunken); }
  .bar [part='fill'] { fill: var(--_series-1); }
  .notes { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: var(--_text-sm); }
  .notes:empty { display: none; }
  .stopped { color: var(--_bad); border-radius: 4px; }
  keelson-table::part(stopped) { color: var(--_bad); font-size: var(--_text-sm); margin-inline-start: 6px; border-radius: 4px; }
  keelson-table::part(stopped):hover { text-decoration: underline; }
  .exits { display: flex; flex-wrap: wrap; gap: 4px 14px; }
  .scroll { overflow-x: auto; border-radius: 4px; }
  .retention { border-spacing: 2px; font-variant-numeric: tabular-nums; font-size: var(--_text-sm); min-inline-size: 100%; }
  .retention th { font-weight: 600; color: var(--_ink-2); text-align: center; white-space: nowrap; padding: 2px 6px; }
  .retention th:first-child { text-align: start; }
  .retention th[scope='row'] { text-align: start; font-weight: 400; }
  .retention td { text-align: center; padding: 5px 6px; border-radius: 4px; min-inline-size: 42px; }
  .retention .num { text-align: end; }
  .retention tfoot :is(th[scope='row'], td) { padding-block-start: 7px; font-weight: 600; }
  ${unsafeCSS(shades)}
  .people li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 10px; padding: 6px 14px; border-block-end: 1px solid var(--_hair); }
  .people small { color: var(--_ink-3); font-size: var(--_text-sm); }
  .people-head h2 { font-size: var(--_text-lg); font-weight: 650; }
  .who { padding: 10px 14px; display: flex; gap: 10px; align-items: baseline; }
  @media (max-width: 760px) {
    .funnel li { grid-template-columns: minmax(0, 1fr) 60px 60px; }
    .funnel .bar { grid-column: 1 / -1; grid-row: 2; }
  }
`
