// Styles of the block editor: blocks and panel side by side, the panel below where it is narrow.
import { css } from 'lit'

export const blockStyles = css`
  :host { display: block; container-type: inline-size; background: var(--_surface); }
  .tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 7px 14px; border-block-end: 1px solid var(--_hair); }
  .both { display: grid; grid-template-columns: minmax(0, 1fr) 232px; align-items: start; min-block-size: 408px; }
  .canvas { padding: 12px 14px; min-inline-size: 0; background: var(--_canvas); align-self: stretch; }
  ul { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; }
  ul.beside { flex-direction: row; align-items: stretch; }
  .beside > .block { flex: 1; }
  .block > ul { padding: 0 8px 2px; }
  .beside > .block > ul, .block > ul.beside { padding-inline: 2px; }
  .gap { flex: none; position: relative; block-size: 8px; }
  .gap button { position: absolute; inset: -3px 0; padding: 0; border: 0; background: none; cursor: pointer; display: grid; place-items: center; color: var(--_ink-2); font: inherit; }
  .gap button::before { content: ''; position: absolute; inset: 6px 4px; border-radius: 2px; }
  .gap span { position: relative; opacity: 0; block-size: 14px; line-height: 12px; inline-size: 14px; border-radius: 50%; background: var(--_accent); color: var(--_on-accent, #fff); font-size: 13px; text-align: center; }
  .gap button:hover::before, .gap .drop::before { background: var(--_accent); }
  .gap button:hover span, .gap .drop span { opacity: 1; }
  .beside > .gap { block-size: auto; inline-size: 8px; }
  .beside > .gap button { inset: 0 -3px; }
  .beside > .gap button::before { inset: 4px 6px; }
  .column > ul > .gap:only-child { block-size: 26px; }
  .column > ul > .gap:only-child span { opacity: 0.75; }
  .canvas.dragging, .dragging * { cursor: grabbing; user-select: none; }
  .pick.dragged { opacity: 0.5; }
  .pick svg { touch-action: none; }
  @media (hover: none) { .gap span { opacity: 0.75; } .gap { block-size: 16px; } }
  .block { background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius); min-inline-size: 0; }
  .block.on { border-color: var(--_accent); box-shadow: 0 0 0 1px var(--_accent); }
  .block.column { background: var(--_sunken); border-style: dashed; }
  .block.code { background: none; border-style: dotted; }
  .pick { display: flex; gap: 7px; align-items: center; inline-size: 100%; min-block-size: 30px; padding: 4px 9px; border: 0; background: none; color: var(--_ink-2); font: inherit; text-align: start; cursor: pointer; min-inline-size: 0; border-radius: var(--_radius); }
  .pick svg { flex: none; }
  .pick b { font-weight: 600; font-size: var(--_text-sm); white-space: nowrap; }
  .section > .pick b, .wrapper > .pick b { color: var(--_ink); }
  .sum { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink); }
  .sum code { font: var(--_text-xs) var(--_mono); color: var(--_ink-2); }
  .pick .tag { display: inline-flex; gap: 3px; align-items: center; flex: none; }
  .chip { background: var(--_info-soft); color: var(--_info); border-radius: 8px; padding: 0 6px; font-size: var(--_text-xs); }
  .writing { display: grid; gap: 6px; padding: 0 9px 9px; }
  .writing .row { gap: 2px; }
  .writing select { inline-size: auto; max-inline-size: 160px; block-size: 30px; }
  .writing textarea { resize: vertical; inline-size: 100%; box-sizing: border-box; line-height: 1.5; }
  .panel, .idle { border-inline-start: 1px solid var(--_hair); position: sticky; inset-block-start: 0; background: var(--_surface); align-self: stretch; }
  .panel header { display: flex; align-items: center; padding: 6px 8px 6px 12px; border-block-end: 1px solid var(--_hair); }
  .idle { padding: 12px; margin: 0; }
  .fields { display: grid; gap: 9px; padding: 10px 12px 14px; }
  .fields label { display: grid; gap: 3px; min-inline-size: 0; flex: 1; }
  .fields label > span { font-size: var(--_text-sm); color: var(--_ink-2); overflow-wrap: anywhere; }
  .fields h3 { font-size: var(--_text-sm); font-weight: 650; margin: 4px 0 0; }
  .fields p { margin: 0; }
  .part { display: flex; gap: 6px; align-items: end; }
  .part input[type='color'] { inline-size: 34px; block-size: 32px; padding: 2px; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_surface); flex: none; }
  .kinds { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 8px; }
  .kinds .btn { justify-content: start; block-size: 36px; }
  .start { display: grid; gap: 12px; padding: 18px 20px; justify-items: start; }
  .start h2 { font-size: var(--_text); font-weight: 650; margin: 0; }
  .start p { margin: 0; gap: 6px; }
  .examples { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 10px; inline-size: 100%; }
  .example { display: grid; gap: 3px; justify-items: start; align-content: start; padding: 12px; border: 1px solid var(--_hair-strong); border-radius: var(--_radius-lg); background: var(--_surface); color: var(--_ink); font: inherit; text-align: start; cursor: pointer; }
  .example:hover { border-color: var(--_accent); }
  .example svg { inline-size: 56px; block-size: 56px; margin-block-end: 4px; color: var(--_ink-3); stroke-width: 0.6; }
  .example span { color: var(--_ink-2); font-size: var(--_text-sm); }
  .keys { margin-inline-start: auto; font-size: var(--_text-sm); }
  @container (max-width: 560px) {
    .both { grid-template-columns: minmax(0, 1fr); }
    .panel { border-inline-start: 0; border-block-start: 1px solid var(--_hair-strong); inset-block: auto 0; max-block-size: 34vh; overflow: auto; }
    .pick { scroll-margin-block-end: 60vh; }
    .panel header { position: sticky; inset-block-start: 0; background: var(--_surface); }
    .fields { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .fields h3, .fields p { grid-column: 1 / -1; }
    .idle, .keys { display: none; }
    .canvas { padding: 10px; }
    .words { display: none; }
  }
  @container (max-width: 420px) {
    ul.beside { flex-direction: column; }
    .beside > .gap { block-size: 8px; inline-size: auto; }
  }
`
