// Styles of the Errors page.
import { css } from 'lit'

export const errorsStyles = css`
  .search { inline-size: min(320px, 100%); }
  .issue-head { display: grid; gap: 3px; min-inline-size: 0; }
  .issue-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .issue-head p { overflow-wrap: anywhere; }
  .spark { block-size: 44px; inline-size: 100%; fill: var(--_bad); }
  .latest li { display: flex; gap: 10px; padding-block: 2px; }
  .latest a { color: var(--_accent); }
  .latest a:hover { text-decoration: underline; }
`
