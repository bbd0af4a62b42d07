// Styles of native controls by class, for pages and elements alike.
import { css } from 'lit'
import { base } from './tokens.ts'

/** Buttons, fields, tags, cards, facts and page layout. Includes the tokens: put it first. */
export const controls = css`
  ${base}
  .btn {
    display: inline-flex; align-items: center; justify-content: center; gap: 7px;
    block-size: 30px; padding-inline: 11px; white-space: nowrap;
    border: 1px solid var(--_hair-strong); border-radius: var(--_radius);
    background: var(--_surface); color: var(--_ink); cursor: pointer; user-select: none;
  }
  .btn:hover { background: color-mix(in srgb, var(--_surface), var(--_ink) 4%); }
  .btn:active { background: color-mix(in srgb, var(--_surface), var(--_ink) 8%); }
  .btn.primary {
    background: var(--_accent); border-color: var(--_accent); color: var(--_accent-ink); font-weight: 600;
  }
  .btn.primary:hover { background: color-mix(in srgb, var(--_accent), var(--_ink) 12%); }
  .btn.danger { background: var(--_bad); border-color: var(--_bad); color: light-dark(#fff, #2c0906); font-weight: 600; }
  .btn.quiet { border-color: transparent; background: none; color: var(--_ink-2); }
  .btn.quiet:hover { background: color-mix(in srgb, transparent, var(--_ink) 6%); color: var(--_ink); }
  .btn.icon { inline-size: 30px; padding: 0; }
  .btn.on, .btn[aria-pressed='true'] {
    background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); font-weight: 600;
  }
  .btn:disabled, .btn[aria-disabled='true'] { color: var(--_ink-3); cursor: default; background: var(--_sunken); border-color: var(--_hair); }
  .field {
    block-size: 32px; inline-size: 100%; padding-inline: 9px; min-inline-size: 0;
    border: 1px solid var(--_hair-strong); border-radius: var(--_radius);
    background: var(--_surface); color: var(--_ink);
  }
  textarea.field { block-size: auto; padding-block: 7px; }
  .field:focus-visible { outline-offset: -1px; }
  .field::placeholder { color: var(--_ink-3); opacity: 1; }
  .field[aria-invalid='true'] { border-color: var(--_bad); }
  kbd, .btn small {
    font: var(--_text-xs) / 1.4 var(--_mono); color: var(--_ink-3);
    border: 1px solid var(--_hair); border-radius: 4px; padding: 0 4px;
  }
  .tag {
    display: inline-block; font-size: var(--_text-xs); font-weight: 600; line-height: 1.45;
    padding: 1px 7px; border-radius: 9px; background: var(--_sunken); color: var(--_ink-2); white-space: nowrap;
  }
  .tag.info { background: var(--_info-soft); color: var(--_info); }
  .tag.accent { background: var(--_accent-soft); color: var(--_accent); }
  .tag.good { background: var(--_good-soft); color: var(--_good); }
  .tag.warn { background: var(--_warn-soft); color: var(--_warn); }
  .tag.bad { background: var(--_bad-soft); color: var(--_bad); }
  .card { background: var(--_surface); border: 1px solid var(--_hair); border-radius: var(--_radius-lg); }
  .mono { font-family: var(--_mono); font-size: var(--_text-sm); }
  .quiet { color: var(--_ink-2); }
  .dim { color: var(--_ink-3); }
  .problem { color: var(--_bad); }
  .num { text-align: end; font-variant-numeric: tabular-nums; }
  .link { color: var(--_accent); }
  .link:hover { text-decoration: underline; }
  dl.facts { display: grid; grid-template-columns: minmax(72px, 116px) minmax(0, 1fr); gap: 3px 10px; }
  dl.facts dt { color: var(--_ink-3); overflow: hidden; text-overflow: ellipsis; }
  dl.facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  dl.facts dd a { color: var(--_accent); }
  dl.facts dd a:hover { text-decoration: underline; }
  .main { padding: 16px 20px 28px; display: grid; gap: 14px; align-content: start; grid-template-columns: minmax(0, 1fr); }
  .stack { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
  .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
  .failed { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 12px 14px; color: var(--_ink-2); overflow-wrap: anywhere; }
  .failed svg { color: var(--_bad); }
  .push { margin-inline-start: auto; }
  .tiles { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 210px), 1fr)); }
  @media (forced-colors: active) {
    .btn { background: ButtonFace !important; color: ButtonText !important; border-color: ButtonBorder !important; }
    .btn.primary, .btn.danger { outline: 1px solid ButtonBorder; }
  }
  @media (hover: none) { .keys, kbd[aria-hidden] { display: none; } }
  @media (max-width: 760px) {
    .main { padding: 12px; gap: 12px; }
    .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
    .hide { display: none; }
  }
`
