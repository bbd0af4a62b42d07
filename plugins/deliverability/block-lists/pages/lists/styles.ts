// Styles of the Block lists page.
import { css } from 'lit'

export const listStyles = css`
  .card > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .card h2 { font-size: var(--_text); font-weight: 650; }
  .listings > li { padding: 12px 14px; border-block-end: 1px solid var(--_hair); border-inline-start: 3px solid var(--_bad); display: grid; gap: 4px; }
  .listings > li:last-child { border-block-end: 0; }
  .listings h3 { font-size: var(--_text); font-weight: 650; overflow-wrap: anywhere; }
  .listings p { color: var(--_ink-2); }
  dl { margin: 6px 0 0; border: 1px solid var(--_hair); border-radius: var(--_radius); }
  dl div { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 8px; align-items: center; padding: 3px 10px; border-block-start: 1px solid var(--_hair); }
  dl div:first-child { border-block-start: 0; }
  dt { font-size: var(--_text-sm); color: var(--_ink-2); }
  dd { margin: 0; min-block-size: 28px; display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; justify-content: space-between; overflow-wrap: anywhere; }
  .listings .head { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: center; justify-content: space-between; }
  .whole { display: flex; align-items: center; gap: 4px; font-size: var(--_text-sm); }
  .config { display: inline-flex; gap: 8px; align-items: center; max-inline-size: 100%; padding: 6px 10px; border-radius: var(--_radius); background: var(--_sunken); text-align: start; }
  .config code { min-inline-size: 0; overflow-wrap: anywhere; }
`
