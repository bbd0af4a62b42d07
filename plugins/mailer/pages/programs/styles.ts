// Styles of the Programs page.
import { css } from 'lit'

export const programStyles = css`
  .seg { display: inline-flex; justify-self: start; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); overflow: hidden; background: var(--_surface); }
  .seg a { padding: 4px 12px; color: var(--_ink-2); border-inline-start: 1px solid var(--_hair); }
  .seg a:first-child { border: 0; }
  .seg a[aria-current] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  .seg a:focus-visible { outline-offset: -2px; }
  .board { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
  .board h2 { font-size: var(--_text); font-weight: 650; }
  .arm-row { padding: 9px 14px; display: grid; gap: 4px; }
  .arm-row b { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .arm-row p { font-size: var(--_text-sm); font-variant-numeric: tabular-nums; }
  .meter { display: flex; block-size: 6px; border-radius: 3px; overflow: hidden; background: var(--_sunken); }
  .meter .satisfied { background: var(--_good); }
  .meter .pending { background: var(--_ghost); }
  .meter .exhausted { background: var(--_bad); }
  .meter .cooldown { background: var(--_warn); }
  .pad { padding: 12px 14px; display: grid; gap: 10px; }
  textarea { min-block-size: 340px; resize: vertical; }
  .issues li { display: flex; gap: 8px; padding-block: 2px; overflow-wrap: anywhere; }
`
