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
  .fix div { display: grid; grid-template-columns: 60px minmax(0, 1fr); gap: 8px; align-items: center; padding: 4px 10px; }
  .fix dt { color: var(--_ink-2); }
  .fix dd { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; align-items: center; margin: 0; overflow-wrap: anywhere; font-family: var(--_mono); font-size: var(--_text-sm); }
  .fix .all { grid-template-columns: minmax(0, 1fr) auto; border-block-end: 1px solid var(--_hair); }
  .fix .all dd { font-family: inherit; }
  .copy-all { display: inline-flex; gap: 4px; align-items: center; color: var(--_ink-2); font-size: var(--_text-sm); }
  .charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
  .receiver { display: flex; flex-direction: column; }
  .receiver keelson-empty { margin-block: auto; }
  .receiver .figure { padding: 12px 14px 8px; color: var(--_ink-2); }
  .figure b { font-size: calc(var(--_text-lg) * 1.5); font-weight: 650; color: var(--_ink); font-variant-numeric: tabular-nums; }
  .chart { margin: 0; padding: 0 14px 10px; }
  .plot { position: relative; margin-inline-end: 44px; }
  .plot svg { display: block; inline-size: 100%; block-size: 72px; overflow: visible; border-block-end: 1px solid var(--_hair-strong); }
  .plot path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 1.5; }
  .plot .line { stroke: var(--_series-1); stroke-width: 2; }
  .plot path.warn { stroke: var(--_warn); stroke-dasharray: 4 3; }
  .plot path.bad { stroke: var(--_bad); stroke-dasharray: 4 3; }
  .plot span { position: absolute; inset-inline-start: calc(100% + 6px); transform: translateY(-50%); font-size: var(--_text-sm); white-space: nowrap; }
  .chart .ends { display: flex; justify-content: space-between; margin-inline-end: 44px; padding-block-start: 3px; color: var(--_ink-3); font-size: var(--_text-sm); }
  .next { padding: 0 14px 2px; font-weight: 650; }
  .needs { list-style: none; margin: 0; padding: 0 14px 10px; }
  .needs li { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 6px; padding-block: 3px; align-items: center; }
  .needs em { font-style: normal; color: var(--_ink-2); font-variant-numeric: tabular-nums; }
  .log li { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 8px; padding: 9px 14px; border-block-end: 1px solid var(--_hair); overflow-wrap: anywhere; }
  .log time { display: block; color: var(--_ink-3); font-size: var(--_text-sm); }
  .log p { color: var(--_ink-2); }
  .scroll { overflow-x: auto; }
  .senders { border-collapse: collapse; inline-size: 100%; }
  .senders th, .senders td { padding: 7px 14px; text-align: start; border-block-end: 1px solid var(--_hair); font-weight: inherit; white-space: nowrap; }
  .senders th { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); }
  .senders .num { text-align: end; font-variant-numeric: tabular-nums; }
  .senders .source { white-space: normal; overflow-wrap: anywhere; inline-size: 34%; }
  .senders .source b { font-weight: 600; }
  .senders .source small { display: block; font-size: var(--_text-sm); }
  .senders .aligned { min-inline-size: 110px; }
  .senders .aligned [part='shared'] { display: flex; align-items: center; gap: 8px; }
  .senders .aligned [part='share'] { inline-size: 100%; flex: 1 1 0; min-inline-size: 40px; block-size: 6px; display: block; border-radius: 3px; }
  .senders .aligned [part='track'] { fill: var(--_sunken); }
  .senders .aligned [part='fill'] { fill: var(--_series-1); }
  .card > footer.reason { display: flex; gap: 10px; }
  .bones { block-size: 92px; padding: 14px; display: grid; align-content: space-between; }
  .off { display: flex; gap: 8px; align-items: center; background: var(--_warn-soft); border-block-end: 1px solid var(--_hair); }
  .reason { padding: 12px 14px; }
  @media (max-width: 720px) { .senders .wide { display: none; } .senders th, .senders td { padding-inline: 10px; } }
  @media (max-width: 1000px) {
    .verdict, .pair, .charts { grid-template-columns: minmax(0, 1fr); }
    .verdict .btn { justify-self: start; }
    .item { grid-template-columns: 20px minmax(0, 1fr); }
    .item > p, .item .todo, .item .who, .fix { grid-column: 2; }
  }
`
