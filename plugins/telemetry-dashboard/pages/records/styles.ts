// Styles of a record in the drawer, and of lists of records.
import { css } from 'lit'

export const recordStyles = css`
  .record-head { display: grid; gap: 3px; min-inline-size: 0; }
  .record-head .row { flex-wrap: nowrap; }
  .id { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .record-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .record section { padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .record section:last-child { border: 0; }
  .record h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 4px; }
  .record .note { padding: 8px 14px; background: var(--_warn-soft); color: var(--_warn); }
  .record dl.facts { gap: 0 2px; line-height: 24px; }
  .record dl.facts a { display: inline-block; min-inline-size: 24px; min-block-size: 24px; border-radius: 4px; }
  .aside { margin-inline-start: 8px; font-size: var(--_text-sm); }
  .record dd .mono { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  pre {
    margin: 4px 0 0; padding: 8px 10px; max-block-size: 320px; overflow: auto; white-space: pre-wrap;
    overflow-wrap: anywhere; background: var(--_sunken); border-radius: var(--_radius);
    font: var(--_text-sm) / 1.5 var(--_mono);
  }
  summary { cursor: pointer; color: var(--_ink-2); font-size: var(--_text-sm); font-weight: 600; border-radius: 4px; }
`
