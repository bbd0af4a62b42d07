// Styles of the dialog of saved views.
import { css } from 'lit'

export const viewsStyles = css`
  :host { display: contents; }
  keelson-dialog { color: var(--_ink); }
  .save { display: grid; gap: 8px; padding-block-end: 12px; border-block-end: 1px solid var(--_hair); }
  .save label > span, h3, summary { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  h3, details { margin-block: 12px 4px; }
  summary { cursor: pointer; border-radius: 4px; }
  .problem { margin-block-start: 10px; }
  li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; padding-block: 5px; border-block-end: 1px solid var(--_hair); }
  li:last-child { border: 0; }
  li .row { flex-wrap: nowrap; inline-size: 100%; }
  a { overflow-wrap: anywhere; border-radius: 4px; }
  .acts { display: flex; flex-wrap: wrap; gap: 10px; margin-inline-start: auto; }
  .acts .link { font-size: var(--_text-sm); border-radius: 4px; }
`
