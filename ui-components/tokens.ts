// The public tokens with their defaults, read by every element through private names.
import { css } from 'lit'

/**
 * Maps each public `--keelson-*` token to the private `--_*` name that styles use. The defaults
 * follow `color-scheme`; forced colours get the system's own.
 */
export const tokens = css`
  :host {
    --_font: var(--keelson-font, ui-sans-serif, system-ui, sans-serif);
    --_mono: var(--keelson-font-mono, ui-monospace, Menlo, Consolas, monospace);
    --_text: var(--keelson-text, 13px);
    --_text-xs: calc(var(--_text) - 2px);
    --_text-sm: calc(var(--_text) - 1px);
    --_text-lg: calc(var(--_text) + 2px);
    --_text-figure: calc(var(--_text) * 2);
    --_row: var(--keelson-row, 34px);
    --_radius: var(--keelson-radius, 6px);
    --_radius-lg: calc(var(--_radius) * 5 / 3);
    --_canvas: var(--keelson-canvas, light-dark(#f6f7f9, #0f131a));
    --_surface: var(--keelson-surface, light-dark(#fff, #161b24));
    --_raised: light-dark(var(--_surface), color-mix(in srgb, var(--_surface), #fff 4%));
    --_sunken: var(--keelson-sunken, light-dark(#eef0f4, #10151d));
    --_ink: var(--keelson-ink, light-dark(#161b26, #e7ebf2));
    --_ink-2: var(--keelson-ink-2, light-dark(#4a5465, #b3bccb));
    --_ink-3: var(--keelson-ink-3, light-dark(#596375, #8f9aac));
    --_hair: var(--keelson-hair, light-dark(#dfe3ea, #272f3c));
    --_hair-strong: var(--keelson-hair-strong, light-dark(#c6ccd8, #3a4454));
    --_accent: var(--keelson-accent, light-dark(#0b6e8f, #4db6d6));
    --_accent-ink: var(--keelson-accent-ink, light-dark(#fff, #06222c));
    --_accent-soft: var(--keelson-accent-soft, light-dark(#e2f1f6, #12313c));
    --_focus: var(--keelson-focus, light-dark(#0b84ad, #5cc4e4));
    --_good: var(--keelson-good, light-dark(#15703f, #5bc88d));
    --_warn: var(--keelson-warn, light-dark(#8a5708, #e0ac4e));
    --_bad: var(--keelson-bad, light-dark(#b3261e, #f2857c));
    --_info: var(--keelson-info, light-dark(#3857b8, #93abf5));
    --_good-soft: light-dark(oklch(from var(--_good) 0.945 0.035 h), oklch(from var(--_good) 0.27 0.04 h));
    --_warn-soft: light-dark(oklch(from var(--_warn) 0.945 0.045 h), oklch(from var(--_warn) 0.27 0.05 h));
    --_bad-soft: light-dark(oklch(from var(--_bad) 0.95 0.025 h), oklch(from var(--_bad) 0.26 0.045 h));
    --_info-soft: light-dark(oklch(from var(--_info) 0.945 0.025 h), oklch(from var(--_info) 0.27 0.06 h));
    --_series-1: var(--keelson-series-1, light-dark(#0b6e8f, #4db6d6));
    --_series-2: var(--keelson-series-2, light-dark(#7a55c7, #b295f2));
    --_series-3: var(--keelson-series-3, light-dark(#c2641b, #ee9a5a));
    --_series-4: var(--keelson-series-4, light-dark(#257a4c, #66c993));
    --_series-5: var(--keelson-series-5, light-dark(#b8407c, #ec85b4));
    --_ghost: var(--keelson-ghost, light-dark(#b4bcc9, #4a5568));
    --_shadow: 0 12px 32px light-dark(rgb(16 24 40 / 0.16), rgb(0 0 0 / 0.5)),
      0 2px 6px light-dark(rgb(16 24 40 / 0.08), rgb(0 0 0 / 0.4));
  }
  :host([color-scheme='light']) { color-scheme: light; }
  :host([color-scheme='dark']) { color-scheme: dark; }
  @media (forced-colors: active) {
    :host {
      --_canvas: Canvas; --_surface: Canvas; --_raised: Canvas; --_sunken: Canvas;
      --_ink: CanvasText; --_ink-2: CanvasText; --_ink-3: CanvasText;
      --_hair: CanvasText; --_hair-strong: ButtonBorder;
      --_accent: LinkText; --_accent-ink: Canvas; --_accent-soft: Canvas; --_focus: Highlight;
      --_good-soft: Canvas; --_warn-soft: Canvas; --_bad-soft: Canvas; --_info-soft: Canvas;
      --_ghost: GrayText;
    }
  }
`

/** What every element starts from: tokens, type, box sizes, a focus ring. */
export const base = css`
  ${tokens}
  :host {
    display: block;
    font: var(--_text) / 1.45 var(--_font);
    color: var(--_ink);
    text-align: start;
  }
  :host([color-scheme]) { background: var(--_canvas); }
  :host([hidden]) { display: none !important; }
  *, ::before, ::after { box-sizing: border-box; }
  h1, h2, h3, p, dl, dd, ul, ol, figure { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  a { color: inherit; text-decoration: none; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
  button { background: none; border: 0; padding: 0; cursor: pointer; }
  svg { flex: none; }
  [hidden] { display: none !important; }
  :focus-visible { outline: 2px solid var(--_focus); outline-offset: 1px; }
  .visually-hidden {
    position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap;
  }
  .bone {
    display: inline-block; block-size: 0.75em; inline-size: 60%; border-radius: 4px;
    background: var(--_hair); vertical-align: middle;
    animation: bone 1.4s ease-in-out infinite alternate;
  }
  @keyframes bone { from { opacity: 0.9; } to { opacity: 0.45; } }
  @media (prefers-reduced-motion: reduce) {
    *, ::before, ::after { animation: none !important; transition: none !important; }
  }
`
