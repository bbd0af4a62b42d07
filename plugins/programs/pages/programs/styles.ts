// Styles of the Programs page.
import { css } from 'lit'

export const programStyles = css`
  .card > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .form { display: grid; gap: 12px; color: var(--_ink); }
  .form label.part { display: grid; gap: 3px; min-inline-size: 0; }
  .form label.part > span { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); padding: 0; }
  .pick { inline-size: auto; block-size: 30px; }
  .panel-head { display: grid; gap: 4px; min-inline-size: 0; }
  .panel-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; line-height: 1.3; }
  .panel-part { padding: 11px 14px; border-block-end: 1px solid var(--_hair); }
  .panel-part:last-child { border-block-end: 0; }
  .panel-part h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 5px; }
  .history { display: grid; gap: 6px; }
  .history li { display: grid; overflow-wrap: anywhere; }
  .history time { font-size: var(--_text-xs); color: var(--_ink-3); font-variant-numeric: tabular-nums; }
  .seg { display: inline-flex; justify-self: start; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); overflow: hidden; background: var(--_surface); }
  .seg a { padding: 4px 12px; color: var(--_ink-2); border-inline-start: 1px solid var(--_hair); }
  .seg a:first-child { border: 0; }
  .seg a[aria-current] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  .seg a:focus-visible { outline-offset: -2px; }
  .board { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
  .board h2 { font-size: var(--_text); font-weight: 650; }
  .arm-row { padding: 9px 14px; display: grid; gap: 4px; }
  .arm-row b { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .arm-row .counts { font-size: var(--_text-sm); font-variant-numeric: tabular-nums; }
  .meter { display: flex; block-size: 6px; border-radius: 3px; overflow: hidden; background: var(--_sunken); }
  .arm-row .satisfied { background: var(--_good); }
  .arm-row .pending { background: var(--_ghost); }
  .arm-row .exhausted { background: var(--_ink-3); }
  .arm-row .cooldown { background: var(--_warn); }
  .counts { display: flex; flex-wrap: wrap; gap: 2px 14px; }
  .counts i { display: inline-block; inline-size: 8px; block-size: 8px; border-radius: 2px; margin-inline-end: 6px; }
  .pad { padding: 12px 14px; display: grid; gap: 10px; }
  textarea { min-block-size: 340px; resize: vertical; }
  .issues li { display: flex; gap: 8px; padding-block: 2px; overflow-wrap: anywhere; }
`
