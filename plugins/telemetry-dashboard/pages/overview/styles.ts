// Styles of the Overview page.
import { css } from 'lit'

export const overviewStyles = css`
  .columns { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .side { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
  @media (min-width: 1080px) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(min(100%, 180px), 1fr)); }
  @media (max-width: 760px) { .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
`
