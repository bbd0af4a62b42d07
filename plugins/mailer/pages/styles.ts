// Styles that the mail pages share: cards with a heading, lines of a list, forms in dialogs.
import { css } from 'lit'

export const pageStyles = css`
  .pending > :not([slot]) { visibility: hidden; }
  .card > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .card > header h2 { font-size: var(--_text); font-weight: 650; margin: 0; }
  .card > header .push { margin-inline-start: auto; }
  .card > footer { padding: 9px 14px; color: var(--_ink-2); border-block-start: 1px solid var(--_hair); }
  .lines { list-style: none; margin: 0; padding: 0; }
  .lines > li { display: flex; gap: 4px 10px; align-items: baseline; min-inline-size: 0; padding: 8px 14px; border-block-end: 1px solid var(--_hair); }
  .lines > li:last-child { border-block-end: 0; }
  .lines .grow { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; }
  .pick { inline-size: auto; max-inline-size: 220px; }
  .search { inline-size: min(320px, 100%); }
  .nowrap { white-space: nowrap; }
  .split { display: grid; gap: 14px; grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; }
  .form { display: grid; gap: 12px; color: var(--_ink); }
  .form label.part { display: grid; gap: 3px; min-inline-size: 0; }
  .form .part > span, .form legend { font-size: var(--_text-sm); font-weight: 600; color: var(--_ink-2); padding: 0; }
  .form fieldset { margin: 0; padding: 0; border: 0; min-inline-size: 0; display: grid; gap: 6px; }
  .choice { display: flex; gap: 8px; align-items: center; min-block-size: 26px; cursor: pointer; }
  .choice input { accent-color: var(--_accent); inline-size: 15px; block-size: 15px; margin: 0; flex: none; }
  .notice { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; padding: 9px 14px; border: 1px solid var(--_hair); border-radius: var(--_radius-lg); background: var(--_surface); }
  .notice.warn { background: var(--_warn-soft); }
  .notice.bad { background: var(--_bad-soft); }
  .notice.good { background: var(--_good-soft); }
  @media (max-width: 900px) {
    .split { grid-template-columns: minmax(0, 1fr); }
  }
`
