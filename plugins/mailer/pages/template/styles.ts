// Styles of the Template page: editor and preview side by side, one below the other where it is narrow.
import { css } from 'lit'

export const templateStyles = css`
  .locked { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 9px 20px; background: var(--_bad-soft); border-block-end: 1px solid var(--_hair); }
  .strip { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); background: var(--_surface); border-block-end: 1px solid var(--_hair); }
  .card.pad { padding: 12px 14px; }
  .strip > .pad { padding: 16px 20px; }
  .strip label { display: grid; gap: 2px; padding: 8px 20px; border-inline-end: 1px solid var(--_hair); min-inline-size: 0; }
  .strip label:last-child { border-inline-end: 0; }
  .strip .top { display: flex; justify-content: space-between; gap: 8px; font-size: var(--_text-xs); color: var(--_ink-2); }
  .strip .top b { font-weight: 600; }
  .strip input { border: 0; padding: 2px 0; background: none; color: var(--_ink); min-inline-size: 0; inline-size: 100%; }
  .strip input::placeholder { color: var(--_ink-3); opacity: 1; }
  .work { display: grid; grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr); align-items: start; background: var(--_surface); border-block-end: 1px solid var(--_hair); }
  .work > * { min-inline-size: 0; }
  .side { border-inline-start: 1px solid var(--_hair); align-self: stretch; }
  .bar { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; padding: 7px 14px; min-block-size: 32px; border-block-end: 1px solid var(--_hair); }
  .tabs { display: flex; gap: 2px; }
  .tabs a { padding: 4px 9px; border-radius: var(--_radius); color: var(--_ink-2); }
  .tabs a[aria-current] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  mailer-editor-pane { block-size: 560px; }
  .blocks { min-block-size: 560px; align-items: start; box-sizing: border-box; margin: 0; border-block-end: 1px solid var(--_hair); }
  .screen { block-size: 540px; background: var(--_canvas); display: grid; justify-items: center; overflow: hidden; }
  .screen .failed { flex-wrap: nowrap; align-self: center; }
  .screen mailer-mail-frame { inline-size: 100%; block-size: 100%; }
  .screen.phone mailer-mail-frame { inline-size: min(375px, 100%); }
  .screen pre { margin: 0; padding: 14px; inline-size: 100%; box-sizing: border-box; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: var(--_text-sm) / 1.5 var(--_mono); background: var(--_surface); block-size: 100%; }
  .inbox { padding: 8px 14px; border-block-end: 1px solid var(--_hair); }
  .inbox:has(.face) { display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 0 10px; align-items: center; }
  .inbox .face { grid-row: 1 / 3; display: grid; place-items: center; block-size: 28px; border-radius: 50%; background: var(--_accent-soft); color: var(--_accent); font-weight: 650; }
  .inbox p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .inbox p b { font-weight: 500; }
  .part-head { display: flex; gap: 10px; align-items: baseline; padding: 9px 14px; border-block: 1px solid var(--_hair); }
  .part-head h2 { font-size: var(--_text); font-weight: 650; margin: 0; }
  .lines > li { padding-block: 6px; align-items: center; flex-wrap: wrap; }
  .variable .mono { flex: 0 1 auto; }
  .variable .grow { flex: 1 1 5em; white-space: nowrap; text-align: end; }
  .lines .mono { overflow-wrap: anywhere; }
  .lines button.grow { text-align: start; }
  .finding b { font-weight: 600; }
  .finding .grow { flex: 1 1 14em; }
  .finding.on { background: var(--_accent-soft); }
  .finding:focus-visible { outline-offset: -2px; }
  .finding code { font: var(--_text-xs) var(--_mono); }
  .more { position: relative; }
  .more summary { list-style: none; }
  .more summary::-webkit-details-marker { display: none; }
  .menu { position: absolute; inset-inline-end: 0; z-index: 5; margin-block-start: 4px; padding: 5px; display: grid; box-shadow: var(--_shadow, 0 6px 20px rgb(0 0 0 / 16%)); }
  .menu .btn { justify-content: start; }
  h3 { font-size: var(--_text); margin: 0; }
  @media (max-width: 900px) {
    .strip, .work { grid-template-columns: minmax(0, 1fr); }
    .strip label { border-inline-end: 0; border-block-end: 1px solid var(--_hair); padding-inline: 12px; }
    .side { border-inline-start: 0; border-block-start: 1px solid var(--_hair); }
    mailer-editor-pane { block-size: 340px; }
    .blocks { min-block-size: 300px; }
    .blocks[aria-busy] { min-block-size: 100svh; }
  }
`
