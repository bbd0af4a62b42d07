// Styles of the navigation.
import { css } from 'lit'

export const navigationStyles = css`
  :host { display: flex; min-block-size: 100%; background: var(--_surface); }
  nav { flex: 1; min-inline-size: 0; display: flex; flex-direction: column; padding-inline: 10px; }
  .brand { display: flex; align-items: center; gap: 9px; min-block-size: 48px; padding-inline: 8px; font-size: var(--_text-lg); font-weight: 650; }
  .brand span { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .mark { color: var(--_accent); }
  .sections { padding-block-end: 12px; }
  h2 { font-size: var(--_text-xs); font-weight: 600; color: var(--_ink-3); padding: 8px 8px 0; }
  h2 button { display: flex; align-items: center; inline-size: 100%; min-block-size: 24px; padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: start; cursor: pointer; }
  h2 button::after { content: ''; margin-inline-start: auto; inline-size: 5px; block-size: 5px; border: solid; border-width: 0 1.5px 1.5px 0; rotate: 45deg; }
  h2 button[aria-expanded='false']::after { rotate: -45deg; }
  h2 button:hover { color: var(--_ink); }
  .sections h2:first-child { padding-block-start: 2px; }
  li a { display: flex; align-items: center; block-size: 30px; padding-inline: 8px; border-radius: var(--_radius); color: var(--_ink-2); }
  li a:hover { background: color-mix(in srgb, transparent, var(--_ink) 5%); color: var(--_ink); }
  li a[aria-current] { background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  li i { inline-size: 25px; color: var(--_ink-3); }
  li svg { display: block; }
  li a[aria-current] i { color: inherit; }
  li b { margin-inline-start: auto; padding-inline: 7px; border-radius: 9px; font-size: var(--_text-xs); line-height: 18px; background: var(--_bad-soft); color: var(--_bad); }
  .wait { block-size: 30px; padding: 6px 8px; }
  keelson-account { margin-block-start: auto; }
  @media (max-width: 760px) { li a { block-size: 40px; } }
  @media (forced-colors: active) { li a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } }
`
