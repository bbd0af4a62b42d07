// Styles of the filter chips and of the input that adds one.
import { css } from 'lit'
import { controls } from '../../controls.ts'

export const filterChipsStyles = css`
  ${controls}
  ul { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .place { position: relative; max-inline-size: 100%; }
  .rest { display: contents; }
  .chip, .add { display: inline-flex; align-items: center; block-size: 26px; max-inline-size: 100%; border: 1px solid var(--_hair-strong); border-radius: 13px; background: var(--_surface); }
  .edit { display: block; padding-inline: 10px 2px; block-size: 100%; border-radius: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .chip i { font-style: normal; color: var(--_ink-3); }
  .chip em { font-style: normal; font-weight: 600; color: var(--_bad); }
  .chip b { font-weight: 600; }
  .chip:hover { border-color: var(--_ink-3); }
  .x { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 50%; color: var(--_ink-3); flex: none; }
  .x:hover { color: var(--_ink); background: var(--_sunken); }
  .add { gap: 6px; padding-inline: 10px; border-style: dashed; color: var(--_ink-2); background: none; }
  .add:hover { color: var(--_ink); border-color: var(--_ink-3); }
  keelson-filter-input { position: absolute; inset-block-start: calc(100% + 4px); inset-inline-start: 0; z-index: 30; }
`

export const filterInputStyles = css`
  ${controls}
  :host {
    inline-size: 280px; max-inline-size: calc(100vw - 32px); overflow: hidden;
    background: var(--_raised); border: 1px solid var(--_hair-strong); border-radius: var(--_radius-lg); box-shadow: var(--_shadow);
  }
  .line { display: flex; align-items: center; gap: 6px; padding-inline: 10px; border-block-end: 1px solid var(--_hair); }
  .line:focus-within { box-shadow: inset 0 0 0 2px var(--_focus); border-radius: var(--_radius-lg) var(--_radius-lg) 0 0; }
  .prefix { color: var(--_ink-3); white-space: nowrap; max-inline-size: 45%; overflow: hidden; text-overflow: ellipsis; }
  .not { color: var(--_accent); white-space: nowrap; padding-inline: 4px; border-radius: 4px; }
  .not[aria-pressed='true'] { color: var(--_bad); font-weight: 600; }
  input { flex: 1; min-inline-size: 0; block-size: 36px; border: 0; background: none; }
  input:focus-visible { outline: none; }
  input::placeholder { color: var(--_ink-3); opacity: 1; }
  [role='listbox'] { max-block-size: 264px; overflow: auto; padding: 4px; }
  [role='listbox']:empty { display: none; }
  [role='option'] { padding: 5px 8px; border-radius: var(--_radius); overflow-wrap: anywhere; cursor: pointer; }
  [role='option']:hover { background: var(--_sunken); }
  [aria-selected='true'] { background: var(--_accent-soft); color: var(--_accent); }
  p { padding: 10px; color: var(--_ink-3); }
  @media (forced-colors: active) { [aria-selected='true'] { outline: 2px solid Highlight; outline-offset: -2px; } }
`
