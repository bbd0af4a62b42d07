// Styles of the range picker.
import { css } from 'lit'
import { controls } from '../../controls.ts'

export const rangePickerStyles = css`
  ${controls}
  :host { position: relative; display: inline-block; max-inline-size: 100%; }
  .seg { display: inline-flex; max-inline-size: 100%; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_surface); }
  .seg button { block-size: 28px; padding-inline: 10px; color: var(--_ink-2); border-inline-start: 1px solid var(--_hair); font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .seg button:first-child { border: 0; border-start-start-radius: calc(var(--_radius) - 1px); border-end-start-radius: calc(var(--_radius) - 1px); }
  .seg button:last-child { border-start-end-radius: calc(var(--_radius) - 1px); border-end-end-radius: calc(var(--_radius) - 1px); }
  .seg button:hover { background: color-mix(in srgb, var(--_surface), var(--_ink) 4%); color: var(--_ink); }
  .seg button[aria-pressed='true'] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  .seg button:focus-visible { outline-offset: -2px; }
  .btn { display: none; }
  @media (max-width: 760px) {
    :host { position: static; }
    .seg { display: none; }
    .btn { display: block; padding-inline: 5px; }
  }
  @media (forced-colors: active) { .seg button[aria-pressed='true'] { outline: 2px solid Highlight; outline-offset: -3px; } }
`
