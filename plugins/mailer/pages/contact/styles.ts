// Styles of the Contact page: the line of time, the cards beside it.
import { css } from 'lit'

export const contactStyles = css`
  .notice { flex-wrap: nowrap; }
  .who { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: center; }
  .face { display: grid; place-items: center; inline-size: 38px; block-size: 38px; border-radius: 50%; background: var(--_accent-soft); color: var(--_accent); font-weight: 650; }
  .names { flex: 1; min-inline-size: 200px; overflow-wrap: anywhere; }
  .names b { font-size: var(--_text-lg); font-weight: 650; }
  .names .tag { min-inline-size: 0; white-space: normal; overflow-wrap: anywhere; }
  .names p { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; }
  .sums { display: flex; flex-wrap: wrap; gap: 8px 26px; margin: 0; text-align: end; }
  .sums dd { margin: 0; font-size: var(--_text-lg); font-weight: 650; font-variant-numeric: tabular-nums; }
  .sums dt { color: var(--_ink-2); font-size: var(--_text-sm); }
  .line { display: flex; gap: 8px; align-items: center; }
  .line .tag { margin-inline-start: auto; }
  .good { color: var(--_good); } .bad { color: var(--_bad); }
  .steps { margin: 0; padding: 0 0 0 10px; list-style: none; border-inline-start: 2px solid var(--_hair); display: grid; gap: 3px; }
  .steps li { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px; overflow-wrap: anywhere; }
  .steps time { color: var(--_ink-3); font-variant-numeric: tabular-nums; }
  .facts meter { inline-size: 100%; block-size: 8px; }
  .now { display: flex; gap: 10px; align-items: center; padding: 4px 14px; }
  .now span { padding: 1px 9px; border-radius: 10px; background: var(--_accent-soft); color: var(--_accent); font-weight: 600; font-size: var(--_text-sm); }
  .now::after { content: ''; flex: 1; block-size: 1px; background: var(--_accent); }
  .holds { border: 1px solid var(--_hair); border-radius: var(--_radius); margin: 0; }
  .holds div { display: flex; flex-wrap: wrap; gap: 0 12px; justify-content: space-between; padding: 3px 10px; }
  .holds div + div { border-block-start: 1px solid var(--_hair); background: var(--_sunken); color: var(--_ink-2); }
  .holds dt { color: var(--_warn); font-weight: inherit; }
  .holds .end dt { color: inherit; }
  .holds dd { margin: 0; color: var(--_ink-2); }
  .two { display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 14px; align-items: start; }
  .chips { display: flex; flex-wrap: wrap; gap: 6px; }
  .chips a { padding: 3px 11px; border: 1px solid var(--_hair-strong); border-radius: 12px; color: var(--_ink-2); font-size: var(--_text-sm); }
  .chips a[aria-current] { border-color: var(--_accent); background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  .recent { padding: 8px 14px 0; }
  .day { padding: 10px 14px 4px; }
  .day h3 { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); margin-inline-start: 96px; padding-block-end: 6px; }
  .entry { position: relative; display: grid; grid-template-columns: 62px 22px minmax(0, 1fr); gap: 0 10px; padding-block-end: 14px; }
  .entry::before { content: ''; position: absolute; inset-block: 22px 0; inset-inline-start: 82px; inline-size: 1px; background: var(--_hair-strong); }
  .entry > time { text-align: end; color: var(--_ink-3); font-variant-numeric: tabular-nums; line-height: 22px; }
  .dot { inline-size: 22px; block-size: 22px; border-radius: 50%; display: grid; place-items: center; border: 1px solid var(--_hair-strong); background: var(--_surface); color: var(--_ink-2); z-index: 1; }
  .mail .dot { background: var(--_accent); border-color: var(--_accent); color: var(--_accent-ink); }
  .consent .dot { background: var(--_good-soft); border-color: var(--_good); color: var(--_good); }
  .planned > time { font-size: var(--_text-xs); line-height: 1.3; padding-block-start: 3px; }
  .planned .dot { background: var(--_surface); border-style: dashed; color: var(--_ink-2); }
  .said { display: grid; gap: 4px; min-inline-size: 0; line-height: 22px; overflow-wrap: anywhere; }
  .title { font-weight: 650; }
  .title:hover { text-decoration: underline; }
  .hold { color: var(--_warn); }
  .moments { border: 1px solid var(--_hair); border-radius: var(--_radius); }
  .moments li { display: grid; grid-template-columns: 62px minmax(120px, max-content) minmax(0, 1fr); gap: 0 12px; padding: 3px 10px; border-block-end: 1px solid var(--_hair); }
  .moments li:last-child { border: 0; }
  .moments time { color: var(--_ink-3); font-variant-numeric: tabular-nums; }
  .moments b { font-weight: 500; }
  .moments .opened b, .moments .clicked b { font-weight: 650; }
  .moments .machine { color: var(--_ink-3); }
  .moments .bounced b, .moments .complained b, .moments .dropped b { color: var(--_bad); font-weight: 650; }
  .pad { padding: 11px 14px; display: grid; gap: 8px; }
  .pad + .pad { border-block-start: 1px solid var(--_hair); }
  .act { display: flex; gap: 10px; align-items: center; }
  .act > div { flex: 1; min-inline-size: 0; }
  .act small { display: block; color: var(--_ink-2); }
  .tags { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .tags .tag { display: inline-flex; align-items: center; gap: 4px; min-inline-size: 0; white-space: normal; overflow-wrap: anywhere; }
  .tags .tag button { display: grid; place-items: center; inline-size: 24px; block-size: 24px; margin: -4px -8px -4px -2px; }
  .tags form { display: flex; gap: 6px; }
  .tags .field { inline-size: 130px; }
  @media (max-width: 1000px) { .two { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 760px) {
    .sums { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); inline-size: 100%; text-align: start; gap: 8px 14px; }
    .day h3 { margin-inline-start: 0; }
    .entry { grid-template-columns: 22px minmax(0, 1fr); }
    .entry > time { grid-column: 2; grid-row: 1; text-align: start; }
    .entry .dot { grid-row: 1; }
    .entry .said { grid-column: 2; }
    .entry::before { inset-inline-start: 11px; }
    .moments li { grid-template-columns: 62px minmax(0, 1fr); }
    .moments li .dim { grid-column: 2; }
  }
`
