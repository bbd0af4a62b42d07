// Styles of the table: a grid per row, so that widths hold still and far rows cost nothing.
import { css } from 'lit'
import { controls } from '../../controls.ts'

// A note without room for all of it is on a line that is not shown: half a note misleads.
export const tableStyles = css`
  ${controls}
  :host { background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius-lg); overflow: clip; }
  .top { display: flex; align-items: center; gap: 10px; padding: 8px 14px; min-block-size: 40px; border-block-end: 1px solid var(--_hair); }
  .top h2 { font-size: var(--_text); font-weight: 650; white-space: nowrap; }
  .note { overflow: hidden; block-size: 1lh; }
  .note span { display: inline-block; white-space: nowrap; }
  .keys { color: var(--_ink-3); font-size: var(--_text-sm); white-space: nowrap; }
  :host { font-variant-numeric: tabular-nums; container-type: inline-size; --_top: calc(var(--keelson-page-top, 0px) + var(--_head, 48px)); }
  table, thead, tbody { display: block; inline-size: 100%; border-spacing: 0; }
  tr { display: grid; grid-template-columns: var(--_columns); align-items: center; }
  th, td { padding: 0 7px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  th:first-child, td:first-child, .num + :not(.num) { padding-inline-start: 14px; }
  th:last-child, td:last-child { padding-inline-end: 14px; }
  th { text-align: start; font-weight: 600; font-size: var(--_text-sm); color: var(--_ink-2); line-height: 30px; }
  thead { position: sticky; inset-block-start: var(--_top); z-index: 1; background: var(--_surface); }
  thead tr { border-block-end: 1px solid var(--_hair); }
  tbody tr {
    block-size: var(--_row); line-height: var(--_row); border-block-end: 1px solid var(--_hair);
    content-visibility: auto; contain-intrinsic-block-size: auto var(--_row); scroll-margin-block-start: calc(var(--_top) + 32px);
  }
  tbody tr:last-child { border-block-end-color: transparent; }
  tbody tr[data-id] { cursor: pointer; }
  tbody tr[data-id]:hover:not([aria-current]) { background: color-mix(in srgb, var(--_surface), var(--_ink) 3%); }
  tbody tr[aria-current] { background: var(--_accent-soft); box-shadow: inset 2px 0 var(--_accent); }
  tbody tr:focus-visible { outline: 2px solid var(--_focus); outline-offset: -2px; border-radius: 4px; }
  .waiting { opacity: 0.55; transition: opacity 0.15s 0.15s; }
  a.open { display: block; overflow: hidden; text-overflow: ellipsis; }
  .sort { display: inline-flex; align-items: center; gap: 3px; font-weight: inherit; line-height: inherit; block-size: 30px; border-radius: 4px; }
  .sort:focus-visible { outline-offset: -2px; }
  .sort svg { opacity: 0; }
  .sort:hover svg, .sort:focus-visible svg { opacity: 0.5; }
  .sorted { color: var(--_ink); }
  .sorted .sort svg { opacity: 1; }
  .num .sort { flex-direction: row-reverse; }
  .foot { display: flex; gap: 10px; align-items: center; padding: 3px 14px; min-block-size: 37px; color: var(--_ink-3); font-size: var(--_text-sm); border-block-start: 1px solid var(--_hair); margin-block-start: -1px; }
  .foot .btn { font-size: var(--_text); }
  .empty { padding: 8px; text-align: center; color: var(--_ink-2); }
  .scrolls { overflow-x: auto; }
  .scrolls :is(thead, tbody) { position: static; min-inline-size: min-content; }
  .scrolls tr { background: var(--_surface); }
  .scrolls :is(th, td):first-child { position: sticky; inset-inline-start: 0; background: inherit; box-shadow: inherit; }
  @container (max-width: 560px) {
    .keys { display: none; }
    .top { flex-wrap: wrap; }
    .note { flex: 1 0 0; }
    ::slotted(.field) { order: 1; flex: 1 0 40%; }
    tr:has(> .wraps) { grid-template-columns: var(--_narrow); }
    tbody tr:has(> .wraps) { block-size: auto; padding-block: 5px; line-height: 24px; contain-intrinsic-block-size: auto 59px; }
    .wraps { order: 1; grid-column: 1 / -1; padding-inline: 14px; }
    th.wraps { position: absolute; clip-path: inset(50%); }
  }
  @media (max-width: 760px) { :host { --_top: var(--keelson-page-top, 0px); } }
  @media (forced-colors: active) { tbody tr[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } }
`
