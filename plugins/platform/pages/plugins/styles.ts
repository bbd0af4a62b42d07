// Styles of the Plugins page: the panel beside the list, and the form of settings.
import { css } from 'lit'

export const pageStyles = css`
  .panel-head { display: grid; gap: 4px; min-inline-size: 0; }
  .panel-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .panel-part { padding: 11px 14px; border-block-end: 1px solid var(--_hair); overflow-wrap: anywhere; }
  .panel-part:last-child { border-block-end: 0; }
  .panel-part h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 5px; }
  .lines li { overflow-wrap: anywhere; padding-block: 1px; }
  .form { display: grid; gap: 12px; color: var(--_ink); }
  .form .part { display: grid; gap: 3px; min-inline-size: 0; overflow-wrap: anywhere; }
  .form .part > label:first-child { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .choice { display: flex; gap: 8px; align-items: center; min-block-size: 26px; cursor: pointer; }
  .choice input { accent-color: var(--_accent); inline-size: 15px; block-size: 15px; margin: 0; flex: none; }
  .news { padding: 10px 14px; overflow-wrap: anywhere; }
`
