// Styles of the Events page.
import { css } from 'lit'

export const eventsStyles = css`
  .pick { max-inline-size: 240px; inline-size: auto; block-size: 30px; }
  .small { block-size: 26px; inline-size: auto; font-size: var(--_text-sm); padding-inline: 6px; }
  .export { font-size: var(--_text-sm); color: var(--_accent); border-radius: 4px; block-size: 26px; }
  .export:hover { text-decoration: underline; }
  keelson-table::part(value) { text-decoration: underline dotted var(--_hair-strong); text-underline-offset: 3px; border-radius: 4px; }
  keelson-table::part(value):hover { text-decoration-style: solid; color: var(--_accent); }
  .record-head { display: grid; gap: 3px; min-inline-size: 0; }
  .record-head .row { flex-wrap: nowrap; }
  .id { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .record-head h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .record section { padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .record section:last-child { border: 0; }
  .record h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-block-end: 4px; }
  .record .note { padding: 8px 14px; background: var(--_warn-soft); color: var(--_warn); }
  .record dl.facts a { border-radius: 4px; }
  .main { container-type: inline-size; }
  @container (min-width: 880px) { keelson-drawer[open] { grid-template-columns: minmax(0, 1fr) 380px; } }
  pre {
    margin: 4px 0 0; padding: 8px 10px; max-block-size: 320px; overflow: auto; white-space: pre-wrap;
    overflow-wrap: anywhere; background: var(--_sunken); border-radius: var(--_radius);
    font: var(--_text-sm) / 1.5 var(--_mono);
  }
  summary { cursor: pointer; color: var(--_ink-2); font-size: var(--_text-sm); font-weight: 600; border-radius: 4px; }
  .bones { display: grid; gap: 12px; padding: 14px; }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; justify-content: center; }
  @media (max-width: 760px) {
    .pick { max-inline-size: 200px; }
    .hide { display: none; }
  }
`
