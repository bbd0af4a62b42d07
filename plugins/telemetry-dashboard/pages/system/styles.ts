// Styles of the System page.
import { css } from 'lit'

export const systemStyles = css`
  .section { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; }
  .section h2 { font-size: var(--_text); font-weight: 650; }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(min(100%, 132px), 1fr)); }
  .indexes { display: grid; gap: 8px; padding: 12px 14px; }
  .indexes h2 { font-size: var(--_text); font-weight: 650; }
  meter { inline-size: 100%; block-size: 8px; }
  .key-form { display: grid; gap: 12px; color: var(--_ink); }
  .key-form label { display: grid; gap: 3px; }
  .key-form label > span { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .receipt { display: grid; grid-template-columns: 1fr auto; gap: 4px 16px; margin: 12px 0 0; }
  .receipt dd { margin: 0; font-variant-numeric: tabular-nums; text-align: end; }
  .fresh {
    display: flex; align-items: center; gap: 8px; margin-block: 10px; padding: 10px 12px;
    border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_sunken); color: var(--_ink);
  }
  .fresh code { flex: 1; font-family: var(--_mono); overflow-wrap: anywhere; user-select: all; }
  .reject-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .reject section { padding: 10px 14px; }
  .reject h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  pre {
    margin: 4px 0 0; padding: 8px 10px; max-block-size: 420px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
    background: var(--_sunken); border-radius: var(--_radius); font: var(--_text-sm) / 1.5 var(--_mono); color: var(--_ink);
  }
`
