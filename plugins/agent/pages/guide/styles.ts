// Styles of the guide page.
import { css } from 'lit'

export const guideStyles = css`
  .main > p { max-inline-size: 88ch; }
  .columns { display: grid; gap: 14px; align-items: start; grid-template-columns: minmax(0, 1.7fr) minmax(0, 1fr); }
  .columns > div { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
  section { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); padding: 16px; }
  h2 { font-size: var(--_text-lg); font-weight: 650; }
  .address, .block pre {
    display: flex; align-items: start; gap: 8px; margin: 0; padding: 9px 11px;
    border: 1px solid var(--_hair); border-radius: var(--_radius); background: var(--_sunken); color: var(--_ink);
  }
  .address, .prompts li { align-items: center; }
  .block keelson-copy { white-space: normal; }
  .address code, .block code { flex: 1; min-inline-size: 0; font: var(--_text-sm) / 1.55 var(--_mono); }
  .address code { overflow-wrap: anywhere; user-select: all; }
  .block { display: grid; gap: 4px; grid-template-columns: minmax(0, 1fr); }
  .block h3, .ways { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .block code { white-space: pre-wrap; overflow-wrap: anywhere; }
  .check { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; color: var(--_ink-2); }
  .found svg { vertical-align: -3px; }
  .good { color: var(--_good); }
  .bad { color: var(--_bad); }
  .tabs { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .tabs span { min-inline-size: 72px; font-size: var(--_text-sm); color: var(--_ink-2); }
  .tabs a { text-decoration: none; }
  .tabs a[aria-current='true'] { background: var(--_accent-soft); border-color: var(--_accent); color: var(--_accent); font-weight: 600; }
  .note { padding: 9px 12px; border-radius: var(--_radius); background: var(--_info-soft); }
  .note.warn { background: var(--_warn-soft); }
  .scope { display: grid; gap: 4px; padding-block: 10px; border-block-start: 1px solid var(--_hair); }
  .scope:first-of-type { border-block-start: 0; padding-block-start: 0; }
  .scope h3 { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; font: 600 var(--_text-sm) / 1.5 var(--_font); }
  .scope h3 code { font: 400 var(--_text-sm) / 1.5 var(--_mono); color: var(--_ink-2); }
  .scope .tag { font-family: var(--_font); }
  summary { cursor: pointer; color: var(--_accent); inline-size: fit-content; }
  .tools { display: grid; gap: 2px 14px; margin-block-start: 6px; grid-template-columns: minmax(0, 15em) minmax(0, 1fr); }
  .tools dt { overflow-wrap: anywhere; }
  .tools dd { color: var(--_ink-2); }
  .prompts { display: grid; gap: 6px; }
  .prompts li { display: flex; gap: 8px; padding: 5px 11px; border: 1px solid var(--_hair); border-radius: var(--_radius); }
  .prompts span { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
  .boundary { display: grid; gap: 5px; padding-inline-start: 18px; list-style: disc; }
  .bones { display: grid; gap: 12px; }
  .bones span { block-size: 150px; }
  @media (max-width: 1080px) { .columns { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 760px) {
    .tabs span { inline-size: 100%; }
    section { padding: 12px; }
    .tools { grid-template-columns: minmax(0, 1fr); }
    .tools dd { margin-block-end: 5px; }
  }
`
