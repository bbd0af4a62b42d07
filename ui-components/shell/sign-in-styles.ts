// Styles of the sign-in page.
import { css } from 'lit'

export const signInStyles = css`
  :host { min-block-size: 100dvh; display: grid; place-items: center; padding: 24px 16px; background: var(--_canvas); }
  main { inline-size: min(340px, 100%); padding-block-end: 8vh; }
  .brand { display: flex; align-items: center; justify-content: center; gap: 9px; font-size: var(--_text-lg); font-weight: 650; margin-block-end: 18px; }
  .mark { color: var(--_accent); }
  form { display: grid; gap: 14px; padding: 22px 24px 24px; background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius-lg); }
  h1 { font-size: calc(var(--_text) + 5px); font-weight: 650; letter-spacing: -0.01em; }
  .purpose { display: flex; align-items: center; gap: 10px; margin-block-start: -8px; overflow-wrap: anywhere; }
  .purpose img { border-radius: var(--_radius); object-fit: contain; }
  .purpose small { display: block; color: var(--_ink-3); font-size: var(--_text-sm); }
  label { display: grid; gap: 4px; color: var(--_ink-2); font-size: var(--_text-sm); }
  .field { block-size: 36px; font-size: calc(var(--_text) + 1px); color: var(--_ink); }
  .btn { block-size: 36px; margin-block-start: 4px; }
  .problem { padding: 8px 11px; border-radius: var(--_radius); background: var(--_bad-soft); color: var(--_bad); }
  .hint { margin-block-start: 14px; text-align: center; color: var(--_ink-3); font-size: var(--_text-sm); white-space: pre-line; }
`
