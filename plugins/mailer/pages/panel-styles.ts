// Styles of panels beside a list: head, parts, histories.
import { css } from 'lit'

export const panelStyles = css`
  .pick { inline-size: auto; block-size: 30px; }
  .search { inline-size: min(320px, 100%); block-size: 30px; }
  .mail { block-size: 420px; border: 1px solid var(--_hair); border-radius: var(--_radius); overflow: hidden; margin-block-start: 6px; }
  .text { white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--_mono); font-size: var(--_text-sm); }
  .unknown { background: var(--_warn-soft); display: grid; gap: 6px; }
  .panel-head { display: grid; gap: 4px; min-inline-size: 0; }
  .panel-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; line-height: 1.3; }
  .panel-part { padding: 11px 14px; border-block-end: 1px solid var(--_hair); }
  .panel-part:last-child { border-block-end: 0; }
  .panel-part h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 5px; }
  .doubt { color: var(--_warn); overflow-wrap: anywhere; }
  .history { display: grid; gap: 6px; }
  .history li { display: grid; overflow-wrap: anywhere; }
  .history time { font-size: var(--_text-xs); color: var(--_ink-3); font-variant-numeric: tabular-nums; }
`
