// Styles of the Diagnostics page.
import { css } from 'lit'

export const attemptStyles = css`
  .tiles { grid-template-columns: repeat(auto-fit, minmax(min(46%, 150px), 1fr)); }
  .step-list { display: grid; }
  .step { position: relative; display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 0 8px; padding-block-end: 12px; }
  .step::before { content: ''; position: absolute; inset-block: 18px 0; inset-inline-start: 8px; border-inline-start: 1px solid var(--_hair-strong); }
  .step:last-child { padding-block-end: 0; }
  .step:last-child::before { display: none; }
  .step svg { margin-block-start: 2px; }
  .step .passed { color: var(--_good); }
  .step .refused { color: var(--_bad); }
  .step .waiting { color: var(--_ink-3); }
  .step p { grid-column: 2 / -1; color: var(--_ink-2); overflow-wrap: anywhere; }
  .step b { font-weight: 600; }
  .step time { font-size: var(--_text-sm); color: var(--_ink-3); font-variant-numeric: tabular-nums; }
`
