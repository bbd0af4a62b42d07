// Styles of the input that adds a filter: loaded with it.
import { css } from 'lit'
import { controls } from '../../controls.ts'

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
