// Styles of the dialog.
import { css } from 'lit'

export const dialogStyles = css`
  dialog {
    inline-size: min(var(--_width), calc(100vw - 24px)); max-block-size: calc(100dvh - 24px); margin: auto; padding: 0; border: 0;
    border-radius: var(--_radius-lg); background: var(--_raised); color: inherit; font: inherit; box-shadow: var(--_shadow); overflow: auto;
    outline: 1px solid var(--_hair);
  }
  dialog::backdrop { background: rgb(8 12 20 / 0.45); }
  .box { padding: 16px 18px 18px; }
  header { display: flex; align-items: start; gap: 10px; margin-block-end: 6px; }
  h2 { flex: 1; font-size: var(--_text-lg); font-weight: 650; line-height: 30px; overflow-wrap: anywhere; }
  .content { --_head: 0px; --keelson-page-top: 0px; color: var(--_ink-2); }
  footer { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; margin-block-start: 16px; }
`
