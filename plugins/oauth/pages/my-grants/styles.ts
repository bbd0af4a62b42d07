// Styles of the page of one's own grants.
import { css } from 'lit'

export const myGrantsStyles = css`
  .main { max-inline-size: 760px; }
  .grant { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px 14px; padding: 14px 16px; align-items: start; }
  .grant h2 { font-size: var(--_text-lg); font-weight: 650; overflow-wrap: anywhere; }
  .grant dl { grid-column: 1 / -1; }
  .grants { display: grid; gap: 12px; }
  .can li { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; }
  .bones { display: grid; gap: 12px; padding: 16px; }
`
