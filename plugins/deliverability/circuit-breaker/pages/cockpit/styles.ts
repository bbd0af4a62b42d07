// Styles of the Deliverability page.
import { css } from 'lit'

export const cockpitStyles = css`
  .card > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; min-block-size: 41px; padding: 6px 14px; border-block-end: 1px solid var(--_hair); }
  .card h2, .ask h2 { font-size: var(--_text); font-weight: 650; }
  .ask h2 { font-size: var(--_text-lg); display: inline; }
  .ask span { color: var(--_ink-2); margin-inline-start: 8px; }
  .verdicts, .items, .log { list-style: none; margin: 0; padding: 0; }
  .verdict { display: grid; grid-template-columns: minmax(150px, 1fr) minmax(0, 1.6fr) minmax(0, 1.5fr) auto; gap: 12px 18px; align-items: center; padding: 14px; border-block-end: 1px solid var(--_hair); border-inline-start: 3px solid transparent; }
  .verdict:last-child { border-block-end: 0; }
  .verdict.on { border-inline-start-color: var(--_accent); }
  .can { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 8px; align-items: center; }
  .can strong { font-size: calc(var(--_text-lg) * 1.2); font-weight: 650; }
  .can a { grid-column: 2; color: var(--_ink); overflow-wrap: anywhere; }
  .can a:hover { text-decoration: underline; }
  .good { color: var(--_good); } .warn { color: var(--_warn); } .bad { color: var(--_bad); } .none { color: var(--_ink-3); }
  .why p { overflow-wrap: anywhere; }
  .why b { font-weight: 650; }
  .why p + p { color: var(--_ink-2); }
  .pair { display: grid; grid-template-columns: minmax(0, 1.8fr) minmax(0, 1fr); gap: 14px; align-items: start; }
  .item { display: grid; grid-template-columns: 20px minmax(104px, 150px) minmax(0, 1fr) auto; gap: 4px 8px; padding: 9px 14px; border-block-end: 1px solid var(--_hair); align-items: start; }
  .item:last-child, .log li:last-child { border-block-end: 0; }
  .item b { font-weight: 650; }
  .item .who { color: var(--_ink-3); font-size: var(--_text-sm); }
  .item p { overflow-wrap: anywhere; }
  .item .todo { grid-column: 3 / -1; color: var(--_ink-2); }
  .fix { grid-column: 2 / -1; display: grid; border: 1px solid var(--_hair); border-radius: var(--_radius); background: var(--_sunken); }
  .fix div { display: grid; grid-template-columns: 60px minmax(0, 1fr) auto; gap: 8px; align-items: center; padding: 4px 10px; }
  .fix dt { color: var(--_ink-2); }
  .fix dd { overflow-wrap: anywhere; font-family: var(--_mono); font-size: var(--_text-sm); }
  .log li { padding: 9px 14px; border-block-end: 1px solid var(--_hair); overflow-wrap: anywhere; }
  .log time, .log span { color: var(--_ink-3); font-size: var(--_text-sm); }
  .bones { block-size: 92px; padding: 14px; display: grid; align-content: space-between; }
  .off { display: flex; gap: 8px; align-items: center; background: var(--_warn-soft); border-block-end: 1px solid var(--_hair); }
  .reason { padding: 12px 14px; }
  @media (max-width: 1000px) {
    .verdict, .pair { grid-template-columns: minmax(0, 1fr); }
    .verdict .btn { justify-self: start; }
    .item { grid-template-columns: 20px minmax(0, 1fr); }
    .item > p, .item .todo, .item .who, .fix { grid-column: 2; }
  }
`
