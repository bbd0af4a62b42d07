// Styles of the form for a range of two moments: loaded with it.
import { css } from 'lit'
import { controls } from '../../controls.ts'

export const rangeFormStyles = css`
  ${controls}
  :host {
    position: absolute; inset-block-start: calc(100% + 4px); inset-inline-end: 0; z-index: 30; inline-size: 240px; padding: 12px;
    background: var(--_raised); border: 1px solid var(--_hair-strong); border-radius: var(--_radius-lg); box-shadow: var(--_shadow);
  }
  form { display: grid; gap: 10px; }
  label { display: grid; gap: 3px; color: var(--_ink-2); font-size: var(--_text-sm); }
  .field { font-size: var(--_text); color: var(--_ink); }
  p { color: var(--_bad); }
  /* Below the list that opened it; on phones at the start of the header, so that it fits. */
  @media (max-width: 760px) { :host { inset: auto; margin-block-start: 4px; } }
  @media (max-width: 560px) { :host { inset-inline-start: 12px; } }
`
