// Styles of the error state.
import { css } from 'lit'

export const errorStyles = css`
  :host {
    display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 12px 14px; line-height: 1.45;
    background: var(--_bad-soft); color: var(--_ink); white-space: normal;
    border: 1px solid color-mix(in srgb, var(--_bad) 35%, var(--_surface)); border-radius: var(--_radius-lg);
  }
  :host([banner]) { position: sticky; inset-block-end: 12px; z-index: 15; margin: 0 20px 12px; box-shadow: var(--_shadow); }
  :host > svg, svg:first-child { color: var(--_bad); align-self: start; margin-block-start: 1px; }
  .btn svg { align-self: center; margin: 0; color: inherit; }
  div { flex: 1 1 240px; min-inline-size: 0; overflow-wrap: anywhere; }
  h2 { font-size: var(--_text); font-weight: 650; }
  p { color: var(--_ink-2); }
`
