// Styles of the consent page.
import { css } from 'lit'

export const consentStyles = css`
  .consent { max-inline-size: 520px; margin-inline: auto; inline-size: 100%; padding: 20px; display: grid; gap: 16px; }
  .consent h1 { font-size: calc(var(--_text) * 1.6); font-weight: 650; overflow-wrap: anywhere; }
  .consent h2, legend { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); padding: 0; }
  fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: 2px; min-inline-size: 0; }
  legend { margin-block-end: 6px; }
  .choice { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 10px; padding: 7px 0; align-items: baseline; border-block-start: 1px solid var(--_hair); }
  .choice input { margin: 0; accent-color: var(--_accent); }
  .choice small { grid-column: 2; color: var(--_ink-2); }
  .target { padding: 10px 12px; border-radius: var(--_radius); background: var(--_sunken); display: grid; gap: 4px; }
  .target code { font-family: var(--_mono); overflow-wrap: anywhere; color: var(--_ink); }
  .warning { color: var(--_warn); font-weight: 600; }
  .problem { color: var(--_bad); }
  .decide { display: flex; gap: 10px; flex-wrap: wrap; }
  .decide .btn { flex: 1; min-inline-size: 120px; block-size: 38px; }
`
