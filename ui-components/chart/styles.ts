// Styles of the chart, with the few of uPlot that are needed.
import { css } from 'lit'

export const chartStyles = css`
  :host { background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius-lg); padding: 8px 14px 6px; container-type: inline-size; }
  .top, .legend, .actions { display: flex; align-items: center; gap: 2px 14px; white-space: nowrap; min-inline-size: 0; }
  .top { min-block-size: 30px; }
  h2 { font-size: var(--_text); font-weight: 650; }
  h2, .legend li { overflow: hidden; text-overflow: ellipsis; }
  .legend { color: var(--_ink-2); }
  .legend, .link, .tip { font-size: var(--_text-sm); }
  :host([grouped]) { .top { flex-wrap: wrap; } .legend { flex: 1 0 100%; order: 1; min-block-size: 24px; } }
  @container (max-width: 720px) {
    .top, .legend { flex-wrap: wrap; }
    h2 { flex: 1; line-height: 24px; }
    .link span { font-size: 0; }
    .legend, .actions { flex: 1 0 100%; overflow: auto; order: 1; block-size: 36px; }
    /* They scroll sideways rather than to shrink until they cannot be read. */
    ::slotted(select) { flex: none; max-inline-size: 150px; }
  }
  .legend li::before, .tip span[class^='tone']::before {
    content: ''; display: inline-block; inline-size: 9px; block-size: 9px; border-radius: 2px; margin-inline-end: 6px; background: var(--_tone); forced-color-adjust: none;
  }
  .tone-ghost { --_tone: var(--_ghost); }
  .tone-ghost.tone-ghost.tone-ghost::before { block-size: 0; border-radius: 0; border-block-start: 2px dashed var(--_ghost); background: none; vertical-align: middle; }
  .tone-1 { --_tone: var(--_series-1); }
  .tone-2 { --_tone: var(--_series-2); }
  .tone-3 { --_tone: var(--_series-3); }
  .tone-4 { --_tone: var(--_series-4); }
  .tone-5 { --_tone: var(--_series-5); }
  .tone-good { --_tone: var(--_good); }
  .tone-warn { --_tone: var(--_warn); }
  .tone-bad { --_tone: var(--_bad); }
  .link { display: flex; align-items: center; gap: 5px; min-block-size: 24px; }
  .zone { font-size: var(--_text-xs); }
  .body { position: relative; min-block-size: var(--_height); }
  .waiting .plot { opacity: 0.5; transition: 0.15s 0.15s; }
  .plot { block-size: var(--_height); overflow: hidden; }
  .nothing { position: absolute; inset: 0; display: grid; place-items: center; }
  .tip {
    position: absolute; inset-block-start: 10px; z-index: 5; pointer-events: none; display: grid; grid-template-columns: auto auto; gap: 1px 14px;
    padding: 7px 10px; background: var(--_raised); border: 1px solid var(--_hair-strong); border-radius: var(--_radius); box-shadow: var(--_shadow); white-space: nowrap;
  }
  .tip b { grid-column: 1 / -1; font-weight: 600; }
  keelson-series-table { max-block-size: max(var(--_height), 280px); margin-block: 4px 8px; }
  .probe { forced-color-adjust: none; }
  .u-wrap { position: relative; }
  .u-over, .u-under, .u-axis, .u-select, .u-cursor-x, .u-cursor-pt { position: absolute; }
  canvas { inline-size: 100%; }
  .u-select, .u-cursor-x, .u-cursor-pt { pointer-events: none; }
  .u-select { background: color-mix(in srgb, var(--_accent) 14%, transparent); }
  .u-cursor-x, .u-cursor-pt { inset: 0 auto auto 0; }
  .u-cursor-x { block-size: 100%; border-inline-end: 1px solid var(--_hair-strong); }
  .u-cursor-pt { border-radius: 50%; border: 0 solid; }
  .u-off { display: none; }
`
