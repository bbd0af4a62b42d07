// Styles of the canvas: cards, lines, arms side by side; narrow, an indented list.
import { css } from 'lit'

export const canvasStyles = css`
  .canvas {
    --w: 220px; --g: 20px; --wire: var(--_hair-strong); container: canvas / inline-size;
    padding-block: 14px 20px; overflow-x: auto;
    background: var(--_canvas); border: 1px solid var(--_hair); border-radius: var(--_radius-lg);
  }
  .canvas > .lane { min-inline-size: max-content; padding-inline: 16px; }
  .zoom-50 > .lane { zoom: 0.5; }
  .zoom-75 > .lane { zoom: 0.75; }
  .zoom-125 > .lane { zoom: 1.25; }
  .zoom-150 > .lane { zoom: 1.5; }
  .lane { display: flex; flex-direction: column; align-items: center; }
  .wire { position: relative; inline-size: 2px; block-size: 28px; background: var(--wire); flex: none; }
  .wire.short { block-size: 12px; }
  .wire.on, .arm.on > .tail { background: var(--_accent); }
  .add {
    position: absolute; inset-inline-start: -11px; inset-block-start: 2px; inline-size: 24px; block-size: 24px;
    display: grid; place-items: center; border-radius: 50%;
  }
  .add::before { content: ''; position: absolute; inset: 3px; border: 1px solid var(--_hair-strong); border-radius: 50%; background: var(--_surface); }
  .add svg { position: relative; }
  [data-editable] .step[data-path] .glyph { touch-action: none; cursor: grab; }
  .canvas.dragging, .dragging * { cursor: grabbing; user-select: none; }
  .step.dragged { opacity: 0.5; }
  .add.drop, .place.drop { color: var(--_accent); z-index: 2; }
  .add.drop::before { inset: -1px; border: 2px solid var(--_accent); background: var(--_accent-soft); }
  .place.drop { border-color: var(--_accent); background: var(--_accent-soft); }
  .add:hover { color: var(--_accent); }
  .add:hover::before { border-color: var(--_accent); }
  .when {
    position: absolute; inset-inline-start: 17px; inset-block-start: 50%; translate: 0 -50%; white-space: nowrap;
    font-size: var(--_text-xs); color: var(--_accent); font-weight: 600; font-variant-numeric: tabular-nums;
  }
  .when i { font-style: normal; font-weight: 400; color: var(--_ink-2); }
  .step {
    position: relative; inline-size: var(--w); display: grid; grid-template-columns: 22px minmax(0, 1fr) auto; gap: 0 9px;
    padding: 8px 10px; border: 1px solid var(--_hair-strong); border-radius: 8px; background: var(--_surface);
  }
  .step:hover { border-color: var(--_ink-3); }
  .step.on { border-color: var(--_accent); }
  .step.faulty { border-color: var(--_bad); }
  .step[aria-current='true'] { border-color: var(--_focus); box-shadow: 0 0 0 1px var(--_focus), var(--_shadow); }
  .step.here { outline: 2px solid var(--_accent); outline-offset: 2px; }
  .glyph {
    inline-size: 22px; block-size: 22px; border-radius: var(--_radius); display: grid; place-items: center;
    background: var(--_sunken); color: var(--_ink-2);
  }
  .is-send .glyph { background: var(--_accent-soft); color: var(--_accent); }
  .is-wait .glyph, .is-waitUntil .glyph { background: var(--_warn-soft); color: var(--_warn); }
  .is-condition .glyph, .is-branch .glyph, .is-split .glyph, .is-waitForEvent .glyph { background: var(--_info-soft); color: var(--_info); }
  .is-start .glyph { background: var(--_good-soft); color: var(--_good); }
  .what { display: grid; min-inline-size: 0; }
  .what b { font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .what small { font-size: var(--_text-sm); color: var(--_ink-2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .no { font-size: var(--_text-xs); color: var(--_ink-3); font-variant-numeric: tabular-nums; }
  .faulty .no, .fault { color: var(--_bad); }
  .fault { grid-column: 1 / -1; font-size: var(--_text-xs); padding-block-start: 4px; overflow-wrap: anywhere; }
  .step.on .no { color: var(--_accent-ink); background: var(--_accent); border-radius: 8px; padding-inline: 5px; block-size: 16px; line-height: 16px; font-weight: 600; }
  .counts {
    grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 10px; margin: 7px -10px -8px; padding: 3px 10px; min-block-size: 23px;
    border-block-start: 1px solid var(--_hair); font-size: var(--_text-xs); color: var(--_ink-2); font-variant-numeric: tabular-nums;
  }
  .counts .share {
    position: absolute; inset: auto 0 0; block-size: 3px; border-radius: 0 0 7px 7px;
    background: linear-gradient(to right, var(--_accent) var(--on), var(--_warn) 0 calc(var(--on) + var(--wait)), var(--_hair-strong) 0);
  }
  .counts .waiting { color: var(--_warn); font-weight: 600; }
  .counts .failed { color: var(--_bad); font-weight: 600; }
  .place {
    display: flex; align-items: center; justify-content: center; gap: 6px; inline-size: var(--w); block-size: 34px; border: 1px dashed var(--_hair-strong);
    border-radius: 8px; color: var(--_ink-2); font-size: var(--_text-sm);
  }
  .place:hover { border-color: var(--_accent); color: var(--_accent); }
  .cap {
    font-size: var(--_text-xs); font-weight: 600; color: var(--_ink-2); background: var(--_canvas); padding: 1px 7px;
    border: 1px solid var(--wire); border-radius: 9px; max-inline-size: var(--w); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  .on > .cap { border-color: var(--_accent); color: var(--_accent); background: var(--_accent-soft); }
  .has-stub { position: relative; padding-inline: 124px; }
  .stub { position: absolute; inset-inline-start: calc(50% + var(--w) / 2); inset-block-start: 44px; display: flex; align-items: center; }
  .stub::before { content: ''; inline-size: 14px; block-size: 2px; background: var(--wire); }
  .stub.on::before { background: var(--_accent); }
  .stub .cap { flex: none; margin-inline-end: 4px; }
  .cap small { font-weight: 400; }
  .stub .end { white-space: nowrap; font-size: var(--_text-xs); color: var(--_ink-2); border: 1px dashed var(--_hair-strong); border-radius: 8px; padding: 1px 8px; }
  .stub.on .end { border-color: var(--_accent); color: var(--_accent); }
  .fin { font-size: var(--_text-xs); color: var(--_ink-2); padding: 2px 10px; border: 1px solid var(--wire); border-radius: 10px; background: var(--_surface); }
  .fin.on { border-color: var(--_accent); color: var(--_accent); background: var(--_accent-soft); font-weight: 600; }
  .fork { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: var(--g); align-items: stretch; }
  .arm { position: relative; display: flex; flex-direction: column; align-items: center; padding-block: 14px; min-inline-size: 90px; }
  .arm::before, .arm::after { content: ''; position: absolute; block-size: 14px; border: 0 solid var(--wire); inset-inline: calc(var(--g) / -2 - 1px); }
  .arm::before { inset-block-start: 0; border-block-start-width: 2px; }
  .arm::after { inset-block-end: 0; border-block-end-width: 2px; }
  .arm:first-child::before, .arm:first-child::after { inset-inline-start: calc(50% - 1px); border-inline-start-width: 2px; }
  .arm:last-child::before, .arm:last-child::after { inset-inline-end: calc(50% - 1px); border-inline-end-width: 2px; }
  .arm:first-child::before { border-start-start-radius: 10px; }
  .arm:first-child::after { border-end-start-radius: 10px; }
  .arm:last-child::before { border-start-end-radius: 10px; }
  .arm:last-child::after { border-end-end-radius: 10px; }
  .arm.on::before, .arm.on::after { border-color: var(--_accent); z-index: 1; }
  .arm.ends::after, .arm.ends > .tail { display: none; }
  .tail { flex: 1; inline-size: 2px; background: var(--wire); min-block-size: 6px; }
  @container canvas (max-width: 560px) {
    .lane { align-items: stretch; }
    .step, .place { --w: 100%; inline-size: auto; }
    .wire { margin-inline-start: 20px; block-size: 20px; }
    .fork { display: block; }
    .arm { display: block; padding: 8px 0 4px 12px; margin: 0 0 6px 8px; border-inline-start: 2px solid var(--wire); }
    .arm.on { border-color: var(--_accent); }
    .arm::before, .arm::after, .tail { display: none; }
    .cap { display: inline-block; }
    .has-stub { padding-inline: 0; }
    .stub { position: static; margin-block-start: 4px; }
    .fin { align-self: start; }
  }
  @container canvas (max-width: 560px) { .canvas > .lane { min-inline-size: 0; } }
`
