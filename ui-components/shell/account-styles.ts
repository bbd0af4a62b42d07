// Styles of the account block.
import { css } from 'lit'

export const accountStyles = css`
  .themes { display: flex; gap: 2px; padding: 6px 4px; }
  .themes button { display: grid; place-items: center; inline-size: 28px; block-size: 26px; border-radius: var(--_radius); color: var(--_ink-3); }
  .themes button.language { inline-size: auto; margin-inline-start: auto; padding-inline: 6px; font-size: var(--_text-sm); }
  .themes button:hover { color: var(--_ink); background: color-mix(in srgb, transparent, var(--_ink) 5%); }
  .themes button[aria-pressed='true'] { color: var(--_accent); background: var(--_accent-soft); }
  .who { display: flex; align-items: center; gap: 8px; padding: 9px 0 9px 6px; border-block-start: 1px solid var(--_hair); color: var(--_ink-2); }
  .who a { flex: 1; margin-inline-end: 8px; color: var(--_accent-ink); }
  .avatar { display: grid; place-items: center; flex: none; inline-size: 24px; block-size: 24px; border-radius: 50%; background: var(--_accent-soft); color: var(--_accent); font-size: var(--_text-xs); font-weight: 700; }
  .words { flex: 1; min-inline-size: 0; display: grid; line-height: 1.3; font-size: var(--_text-sm); }
  .words > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .words .dim { font-size: var(--_text-xs); }
  @media (forced-colors: active) { [aria-pressed='true'] { outline: 2px solid Highlight; outline-offset: -2px; } }
`
