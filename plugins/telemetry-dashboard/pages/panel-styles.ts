// Styles of a panel with a heading, of the pages that have one.
import { css } from 'lit'

export const panelStyles = css`
  .panel { padding: 12px 14px; display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
  .panel header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; }
  .panel h2 { font-size: var(--_text); font-weight: 650; }
`
