// Styles of the Journey page.
import { css } from 'lit'

export const journeyStyles = css`
  .steps { display: flex; overflow-x: auto; min-block-size: 92px; }
  .steps li { position: relative; display: grid; gap: 1px; flex: 1 0 140px; padding-block-start: 18px; padding-inline-end: 12px; align-content: start; font-size: var(--_text-sm); }
  .steps strong { font-size: var(--_text); }
  .steps li::before { content: ''; position: absolute; inset-inline: 0; inset-block-start: 5px; border-block-start: 2px solid var(--_accent-soft); }
  .dot { position: absolute; inset-block-start: 0; inline-size: 12px; block-size: 12px; border-radius: 50%; background: var(--_accent); border: 2px solid var(--_surface); }
  .ref { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-inline-size: 260px; }
`
