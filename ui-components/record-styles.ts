// Styles of pages that list records: fields in the header, facts in panels, forms in dialogs, secrets shown once.
import { css } from 'lit'

/** Styles for pages that list records, with a panel beside the list and forms in dialogs. Put `controls` before them. */
export const recordStyles = css`
  .pick { inline-size: auto; max-inline-size: 220px; block-size: 30px; }
  .panel-head { display: grid; gap: 4px; min-inline-size: 0; }
  .panel-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .panel-part { padding: 11px 14px; border-block-end: 1px solid var(--_hair); }
  .panel-part:last-child { border-block-end: 0; }
  .panel-part h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 5px; }
  .with-copy { display: flex; gap: 6px; align-items: center; }
  .with-copy > :first-child { overflow-wrap: anywhere; min-inline-size: 0; }
  .lines li { overflow-wrap: anywhere; padding-block: 1px; }
  .form { display: grid; gap: 12px; color: var(--_ink); }
  .form .part { display: grid; gap: 3px; }
  .form .part > span, .form .part > label, .form legend { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); padding: 0; }
  .form fieldset { margin: 0; padding: 0; border: 0; min-inline-size: 0; display: grid; gap: 3px; }
  .choices { display: grid; gap: 2px 14px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 190px), 1fr)); }
  .choice { display: flex; gap: 8px; align-items: center; min-block-size: 26px; min-inline-size: 0; cursor: pointer; }
  .choice input { accent-color: var(--_accent); inline-size: 15px; block-size: 15px; margin: 0; flex: none; }
  .choice span { overflow-wrap: anywhere; }
  .shown-once { display: grid; gap: 2px; margin-block-start: 10px; }
  .secret {
    display: flex; align-items: center; gap: 8px; padding: 9px 11px;
    border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_sunken); color: var(--_ink);
  }
  .secret code { flex: 1; min-inline-size: 0; font-family: var(--_mono); white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
  .more-problem { padding: 8px 14px; }
  @media (max-width: 760px) {
    .pick { max-inline-size: 150px; }
  }
`
