// Styles of the Flow page beside its canvas.
import { css } from 'lit'

export const flowStyles = css`
  .locked { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 8px 14px; margin: 0; }
  .locked svg { color: var(--_warn); }
  .saved { font-size: var(--_text-sm); white-space: nowrap; }
  .figures { display: flex; flex-wrap: wrap; gap: 6px 14px; }
  .figures dt { font-size: var(--_text-xs); color: var(--_ink-3); }
  .figures dd { font-size: var(--_text-lg); font-weight: 620; font-variant-numeric: tabular-nums; min-inline-size: 7ch; }
  .figures small { font-size: var(--_text-sm); font-weight: 400; color: var(--_ink-3); }
  .legend { gap: 4px 14px; color: var(--_ink-2); font-size: var(--_text-xs); }
  .legend li::before { content: ''; display: inline-block; inline-size: 12px; block-size: 3px; margin-inline-end: 5px; vertical-align: middle; background: var(--_accent); }
  .legend .wait::before { background: var(--_warn); }
  .legend .left::before { background: var(--_hair-strong); }
  .seg { display: inline-flex; justify-self: start; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); overflow: hidden; background: var(--_surface); }
  .seg a { padding: 4px 12px; color: var(--_ink-2); border-inline-start: 1px solid var(--_hair); }
  .seg a:first-child { border: 0; }
  .seg a[aria-current] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  .seg a:focus-visible { outline-offset: -2px; }
  .canvas.waiting { min-block-size: 420px; }
  .foot { display: flex; justify-content: space-between; align-items: start; gap: 8px; }
  .zoom { margin-inline-start: auto; flex-wrap: nowrap; gap: 2px; padding-block-start: 4px; font-variant-numeric: tabular-nums; }
  .keys { display: flex; flex-wrap: wrap; gap: 4px 14px; padding: 8px 4px 0; color: var(--_ink-2); font-size: var(--_text-xs); }
  .more { position: relative; }
  .more summary { list-style: none; }
  .more summary::-webkit-details-marker { display: none; }
  .menu { position: absolute; inset-inline-end: 0; inset-block-start: 34px; z-index: 30; display: grid; padding: 6px; box-shadow: var(--_shadow); }
  .menu .btn { justify-content: start; }
  .part { padding: 12px 14px; }
  fieldset { margin: 0; border: 0; min-inline-size: 0; }
  .form { display: grid; gap: 11px; color: var(--_ink); }
  .form .part, .rule .part { padding: 0; display: grid; gap: 3px; min-inline-size: 0; }
  /* Else it is drawn on the border of its fieldset. */
  .form > legend:not(.visually-hidden) { float: inline-start; inline-size: 100%; }
  .form .part > span, .form legend { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); padding: 0; }
  .choice { display: flex; gap: 8px; align-items: center; min-block-size: 26px; cursor: pointer; }
  .choice input { accent-color: var(--_accent); inline-size: 15px; block-size: 15px; margin: 0; flex: none; }
  .problem { overflow-wrap: anywhere; }
  .rule { display: grid; gap: 7px; }
  .rule-head { display: flex; gap: 6px; align-items: center; }
  .rule.group { border: 1px solid var(--_hair); border-inline-start: 2px solid var(--_info); border-radius: var(--_radius); padding: 8px; background: var(--_canvas); }
  .rule.group > .rule + .rule { border-block-start: 1px solid var(--_hair); padding-block-start: 8px; }
  .split { display: grid; grid-template-columns: minmax(0, 1fr) 76px 30px; gap: 6px; align-items: center; }
  button.link { font-weight: 600; font-size: var(--_text-sm); min-block-size: 24px; justify-self: start; }
  .types { display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 230px), 1fr)); }
  .type { display: grid; grid-template-columns: 22px minmax(0, 1fr); gap: 0 9px; text-align: start; padding: 8px 10px; border: 1px solid var(--_hair-strong); border-radius: 8px; background: var(--_surface); }
  .type:hover { border-color: var(--_accent); }
  .type .what small { white-space: normal; }
  .versions { display: grid; grid-template-columns: minmax(180px, 260px) minmax(0, 1fr); gap: 14px; align-items: start; }
  .versions li a { display: grid; padding: 8px 12px; border-block-end: 1px solid var(--_hair); }
  .versions li:last-child a { border: 0; }
  .versions a[aria-current] { background: var(--_accent-soft); }
  .versions h2 { font-size: var(--_text); font-weight: 650; }
  .history { display: grid; gap: 6px; padding-block-start: 6px; }
  .history li { display: grid; }
  .history time { font-size: var(--_text-xs); color: var(--_ink-3); }
  .history small { overflow-wrap: anywhere; }
  .sim { position: sticky; inset-block-end: 0; z-index: 3; display: grid; gap: 10px; margin-block-start: 10px; padding: 10px 14px 12px; background: var(--_raised); border: 1px solid var(--_hair); border-block-start: 2px solid var(--_accent); border-radius: 0 0 var(--_radius-lg) var(--_radius-lg); }
  .sim .who { inline-size: 240px; }
  .sim .warn { color: var(--_warn); }
  .stops { display: flex; overflow-x: auto; padding-block: 2px 4px; }
  .stops li { position: relative; flex: 1 0 116px; padding-block-start: 16px; font-size: var(--_text-xs); color: var(--_ink-2); }
  .stops li a { display: block; min-block-size: 24px; padding-inline-end: 8px; border-radius: 4px; }
  .stops li b { display: block; color: var(--_ink); font-variant-numeric: tabular-nums; }
  .stops li::before { content: ''; position: absolute; inset-inline: 0; inset-block-start: 6px; block-size: 2px; background: var(--_accent); }
  .stops li:last-child::before { display: none; }
  .stops li::after { content: ''; position: absolute; inset-inline-start: 0; inset-block-start: 2px; inline-size: 10px; block-size: 10px; border-radius: 50%; background: var(--_raised); border: 2px solid var(--_accent); }
  .stops .now::after { background: var(--_accent); }
  .stops .later::before { background: var(--_hair-strong); }
  .stops .later::after { border-color: var(--_ghost); }
  @media (max-width: 760px) {
    .figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
    .keys { display: none; }
    .versions { grid-template-columns: minmax(0, 1fr); }
    .stops { display: grid; gap: 6px; }
    .stops li { padding: 0 0 0 20px; }
    .stops li::before { inset: 8px auto -12px 4px; inline-size: 2px; block-size: auto; }
    .stops li b { display: inline; }
    .sim { position: static; }
    .sim .who { inline-size: 100%; }
  }
`
