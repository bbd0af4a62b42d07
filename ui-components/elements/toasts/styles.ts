// Styles of the toasts.
import { css } from 'lit'

export const toastsStyles = css`
  :host { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 90; inline-size: min(360px, calc(100vw - 32px)); pointer-events: none; }
  ol { display: grid; gap: 8px; }
  li {
    display: flex; align-items: center; gap: 9px; padding: 6px 6px 6px 14px; min-block-size: 42px; pointer-events: auto;
    background: var(--_raised); border: 1px solid var(--_hair-strong); border-radius: var(--_radius-lg); box-shadow: var(--_shadow);
  }
  li span { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
  .good > svg { color: var(--_good); }
  .warn > svg { color: var(--_warn); }
  .bad > svg { color: var(--_bad); }
  .btn.quiet:not(.icon) { color: var(--_accent); font-weight: 600; }
  @media (prefers-reduced-motion: no-preference) {
    li { animation: rise 0.16s ease-out; }
    @keyframes rise { from { transform: translateY(8px); opacity: 0; } }
  }
`
