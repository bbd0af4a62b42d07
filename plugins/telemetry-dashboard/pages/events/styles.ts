// Styles of the Events page.
import { css } from 'lit'

export const eventsStyles = css`
  .pick { max-inline-size: 240px; inline-size: auto; block-size: 30px; }
  .small { block-size: 26px; inline-size: auto; font-size: var(--_text-sm); padding-inline: 6px; }
  .export { font-size: var(--_text-sm); color: var(--_accent); border-radius: 4px; block-size: 26px; }
  .export:hover { text-decoration: underline; }
  .bones { display: grid; gap: 12px; padding: 14px; }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; justify-content: center; }
  @media (max-width: 760px) {
    .pick { max-inline-size: 200px; }
    .hide { display: none; }
  }
`
