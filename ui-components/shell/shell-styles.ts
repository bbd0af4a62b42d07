// Styles of the shell.
import { css } from 'lit'

export const shellStyles = css`
  :host { display: grid; grid-template-columns: auto minmax(0, 1fr); min-block-size: 100dvh; background: var(--_canvas); }
  div.side { position: sticky; inset-block-start: 0; inline-size: 216px; block-size: 100dvh; overflow-y: auto; background: var(--_surface); border-inline-end: 1px solid var(--_hair); scrollbar-width: thin; }
  main { grid-column-end: -1; min-inline-size: 0; outline: none; }
  .skip { position: fixed; inset-block-start: -60px; inset-inline-start: 8px; z-index: 100; }
  .skip:focus { inset-block-start: 8px; }
  .busy { position: fixed; inset: 0 0 auto; block-size: 2px; z-index: 95; overflow: hidden; pointer-events: none; }
  .busy::before { content: ''; position: absolute; inset-block: 0; inline-size: 30%; background: var(--_accent); opacity: 0; transition: opacity 0.15s 0.25s; }
  .busy.on::before { opacity: 1; animation: sweep 1.1s ease-in-out infinite alternate; }
  @keyframes sweep { from { inset-inline-start: -10%; } to { inset-inline-start: 80%; } }
  keelson-empty .btn { margin-block-start: 4px; }
  .bar { position: sticky; inset-block-start: 0; z-index: 25; display: flex; align-items: center; gap: 6px; block-size: 48px; padding-inline: 6px 12px; background: var(--_surface); border-block-end: 1px solid var(--_hair); }
  .bar a { display: flex; align-items: center; gap: 9px; font-weight: 650; font-size: var(--_text-lg); min-inline-size: 0; }
  .bar .mark { color: var(--_accent); }
  .bar .btn.icon, .sheet > .btn { inline-size: 40px; block-size: 40px; }
  dialog.side { margin: 0; padding: 0; border: 0; inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; background: none; color: inherit; }
  dialog.side::backdrop { background: rgb(8 12 20 / 0.45); }
  .sheet { position: relative; inline-size: min(288px, 86vw); block-size: 100%; overflow-y: auto; background: var(--_surface); border-inline-end: 1px solid var(--_hair); }
  .sheet > .btn { position: absolute; inset-block-start: 4px; inset-inline-end: 6px; }
  @media (max-width: 760px) {
    :host { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
    .bar ~ main { --keelson-page-top: 48px; }
  }
`
