// Styles of the drawer.
import { css } from 'lit'

export const drawerStyles = css`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; align-items: start; }
  :host([beside]) { grid-template-columns: minmax(0, 1fr) var(--_panel, 380px); }
  .list { min-inline-size: 0; }
  dialog { margin: 0; padding: 0; border: 0; color: inherit; background: none; font: inherit; max-inline-size: none; max-block-size: none; }
  .panel { background: var(--_raised); border: 1px solid var(--_hair); box-shadow: var(--_shadow); display: flex; flex-direction: column; }
  .head { display: flex; align-items: start; gap: 8px; padding: 10px 8px 10px 14px; border-block-end: 1px solid var(--_hair); }
  .head ::slotted(*) { flex: 1; min-inline-size: 0; grid-template-columns: minmax(0, 1fr); }
  .head .btn { margin-inline-start: auto; }
  .content { --_head: 0px; --keelson-page-top: 0px; overflow: auto; min-block-size: 0; flex: 1; }
  .over .content { overscroll-behavior: contain; }
  .content:focus { outline: none; }
  .beside { --_top: calc(var(--keelson-page-top, 0px) + 62px); position: sticky; inset-block-start: var(--_top); scroll-margin-block-start: var(--_top); inline-size: auto; block-size: auto; inset-inline: auto; }
  .beside .panel { border-radius: var(--_radius-lg); overflow: clip; max-block-size: calc(100dvh - var(--keelson-page-top, 0px) - 76px); }
  dialog:not([open]) { display: none; }
  .over { position: fixed; inset: 0; inline-size: 100%; block-size: 100%; }
  .over .panel { position: absolute; inset-block: 0; inset-inline-end: 0; inline-size: min(100%, 440px); block-size: 100%; border-width: 0 0 0 1px; }
  .over::backdrop { background: rgb(8 12 20 / 0.45); }
  @media (prefers-reduced-motion: no-preference) {
    .over .panel { animation: slide 0.16s ease-out; }
    @keyframes slide { from { transform: translateX(24px); opacity: 0; } }
  }
`
