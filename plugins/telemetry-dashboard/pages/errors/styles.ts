// Styles of the Errors page.
import { css } from 'lit'

export const errorsStyles = css`
  keelson-chart { --_chart: 208px; }
  .search { inline-size: min(320px, 100%); }
  @media (max-width: 760px) { .tiles > :first-child { grid-column: 1 / -1; } }
  .issue-head { display: grid; gap: 3px; min-inline-size: 0; }
  .issue-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .issue-head p { overflow-wrap: anywhere; }
  .spark { block-size: 44px; inline-size: 100%; fill: var(--_bad); }
  keelson-table::part(spark) { block-size: 20px; inline-size: 100%; display: block; fill: var(--_bad); }
  .shares li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 5ch; gap: 10px; align-items: center; padding-block: 2px; }
  .shares a { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-radius: 4px; }
  .shares a:hover { text-decoration: underline; }
  .shares svg { inline-size: 100%; block-size: 6px; display: block; border-radius: 3px; }
  .shares [part='track'] { fill: var(--_sunken); }
  .shares [part='fill'] { fill: var(--_bad); }
  .latest li { display: flex; gap: 10px; align-items: baseline; }
  .latest a { padding-block: 3px; color: var(--_accent); }
  .all { display: flex; }
  .all a { padding-block: 3px; }
  .latest a:hover { text-decoration: underline; }
`
