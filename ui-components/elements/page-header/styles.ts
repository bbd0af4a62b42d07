// Styles of the page header.
import { css } from 'lit'
import { base } from '../../tokens.ts'

export const pageHeaderStyles = css`
  ${base}
  :host { position: sticky; inset-block-start: var(--keelson-page-top, 0px); z-index: 20; }
  header {
    display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; min-block-size: 48px;
    padding: 8px 20px; background: var(--_surface); border-block-end: 1px solid var(--_hair);
  }
  ::slotted([slot='parent']) { margin-inline-end: -11px; line-height: 24px; }
  .title { display: flex; align-items: center; gap: 10px; min-inline-size: 0; }
  h1 { font-size: var(--_text-lg); font-weight: 650; line-height: 30px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  h1:focus { outline: none; }
  h1:focus-visible { outline: 2px solid var(--_focus); outline-offset: 2px; border-radius: 4px; }
  .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; margin-inline-start: auto; }
  @media (max-width: 760px) {
    :host { position: relative; inset: auto; }
    header { gap: 6px 10px; padding: 6px 12px 8px; }
    ::slotted([slot='parent']) { flex-basis: 100%; margin-block-end: -6px; }
    .title { flex: auto; }
    .actions { margin: 0; }
  }
  @media (max-width: 560px) {
    :host([ranged]) .title { flex-basis: 100%; }
  }
`
