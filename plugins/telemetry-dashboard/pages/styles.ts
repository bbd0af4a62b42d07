// Styles that every page of the dashboard shares: header, exports, empty states, the dialog of views.
import { css } from 'lit'

export const pageStyles = css`
  keelson-chart { display: block; min-block-size: var(--_chart, 248px); }
  .pick { max-inline-size: 240px; inline-size: auto; block-size: 30px; }
  .small { block-size: 26px; inline-size: auto; font-size: var(--_text-sm); padding-inline: 6px; }
  .export { font-size: var(--_text-sm); color: var(--_accent); border-radius: 4px; block-size: 26px; white-space: nowrap; }
  a.export { display: inline-flex; align-items: center; }
  .export:hover { text-decoration: underline; }
  keelson-views { display: block; position: absolute; inline-size: 0; }
  keelson-table::part(value) { text-decoration: underline dotted var(--_hair-strong); text-underline-offset: 3px; border-radius: 4px; }
  keelson-table::part(value):hover { text-decoration-style: solid; color: var(--_accent); }
  .source { font-size: var(--_text-xs); }
  .bones { display: grid; gap: 12px; padding: 14px; }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; justify-content: center; }
  .actions .btn { display: block; line-height: 28px; max-inline-size: 100%; overflow: hidden; text-overflow: ellipsis; }
  .back { display: inline-flex; align-items: center; gap: 5px; }
  .searched { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; min-block-size: 30px; }
  .searched keelson-filter-chips { flex: 1 1 200px; min-inline-size: 0; }
  .still { grid-template-columns: repeat(auto-fill, minmax(min(46%, 210px), 1fr)); }
  @media (max-width: 760px) {
    .pick { max-inline-size: 190px; }
    .searched { min-block-size: 68px; }
  }
`
