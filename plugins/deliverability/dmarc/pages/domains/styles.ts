// Styles of the DMARC page.
import { css } from 'lit'

export const domainStyles = css`
  .card > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; min-block-size: 41px; padding: 6px 14px; border-block-end: 1px solid var(--_hair); }
  .card h2 { font-size: var(--_text); font-weight: 650; }
  .card > header .push { margin-inline-start: auto; }
  .reason { padding: 12px 14px; }
  .alerts { list-style: none; margin: 0; padding: 0; }
  .alerts li { display: grid; grid-template-columns: 76px minmax(0, 1fr); gap: 8px; align-items: start; padding: 9px 14px; border-block-end: 1px solid var(--_hair); }
  .alerts li:last-child { border-block-end: 0; }
  .alerts .tag { justify-self: start; }
  .alerts p { overflow-wrap: anywhere; }
  .steps { list-style: none; margin: 0; padding: 0; }
  .steps li { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 2px 8px; padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .steps li:last-child { border-block-end: 0; }
  .steps li > * { grid-column: 2; }
  .steps li > :first-child { grid-column: 1; }
  .steps p { color: var(--_ink-2); overflow-wrap: anywhere; }
  .steps .done { color: var(--_good); }
  .steps .open { color: var(--_warn); }
  .conditions { list-style: none; margin: 4px 0; padding: 0; display: grid; gap: 4px; }
  .steps .conditions li { display: grid; grid-template-columns: 18px minmax(0, 1fr); padding: 0; border: 0; font-variant-numeric: tabular-nums; }
  .record { display: flex; gap: 8px; align-items: start; padding: 6px 10px; background: var(--_sunken); border: 1px solid var(--_hair); border-radius: var(--_radius); }
  .record code { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; font-family: var(--_mono); font-size: var(--_text-sm); }
  .form { display: grid; gap: 12px; color: var(--_ink); }
  .form .part { display: grid; gap: 3px; }
  .form .part span { font-weight: 600; font-size: var(--_text-sm); color: var(--_ink-2); }
  .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 12px; align-items: end; }
  .form + .row { margin-block-start: 14px; }
  .choice { display: flex; gap: 8px; align-items: center; }
`
