// Styles of the consent page.
import { css } from 'lit'

export const consentStyles = css`
  :host { min-block-size: 100%; }
  .place { display: grid; justify-items: center; padding: clamp(12px, 6vh, 64px) 12px 32px; }
  .sheet { inline-size: min(100%, 468px); overflow: clip; }
  .brand { display: flex; align-items: center; gap: 9px; padding: 14px 22px; border-block-end: 1px solid var(--_hair); font-weight: 650; overflow-wrap: anywhere; }
  .mark { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 6px; background: var(--_accent); color: var(--_accent-ink); object-fit: contain; }
  img.mark { background: none; }
  .head .link { text-decoration: underline; }
  .asks { display: flex; gap: 12px; align-items: center; }
  .logo { flex: none; border-radius: 8px; object-fit: contain; }
  .head { padding: 20px 22px 14px; display: grid; gap: 4px; }
  h1 { font-size: 20px; line-height: 1.3; font-weight: 650; overflow-wrap: anywhere; text-wrap: balance; }
  h1:focus { outline: none; }
  .part { padding: 12px 22px; border-block-start: 1px solid var(--_hair); }
  dl.facts { grid-template-columns: 104px minmax(0, 1fr); }
  .target { font-weight: 650; font-family: var(--_mono); }
  .warning {
    display: flex; gap: 9px; align-items: start; margin-block-start: 10px; padding: 9px 11px;
    border-radius: var(--_radius); background: var(--_warn-soft); color: var(--_ink);
  }
  .warning svg { color: var(--_warn); margin-block-start: 2px; }
  fieldset { margin: 0; padding: 0; border: 0; min-inline-size: 0; }
  legend, .label { padding: 0; margin-block-end: 6px; font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .scope { display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: 0 10px; padding: 6px; margin-inline: -6px; border-radius: var(--_radius); cursor: pointer; }
  .scope:hover { background: color-mix(in srgb, transparent, var(--_ink) 4%); }
  .scope.fixed { cursor: default; background: none; }
  .scope.apart { margin-block-start: 6px; padding-block-start: 10px; border-block-start: 1px solid var(--_hair); border-radius: 0; }
  .scope input { inline-size: 16px; block-size: 16px; margin: 2px 0 0; accent-color: var(--_accent); }
  .scope .name { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; overflow-wrap: anywhere; }
  .scope small { grid-column: 2; font-size: var(--_text-sm); color: var(--_ink-2); overflow-wrap: anywhere; }
  .label { display: block; }
  .problem { margin-block-start: 8px; }
  .answer { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin-block-start: 12px; }
  .answer .btn { block-size: 38px; font-size: var(--_text-lg); }
  .foot { display: flex; flex-wrap: wrap; gap: 4px 14px; margin-block-start: 12px; font-size: var(--_text-sm); }
  .notice { display: grid; gap: 10px; padding: 26px 22px; justify-items: start; }
  .wait { display: grid; gap: 14px; padding: 26px 22px; }
  .wait .bone:first-child { block-size: 22px; inline-size: 80%; }
`
