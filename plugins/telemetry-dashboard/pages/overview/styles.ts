// Styles of the Overview page.
import { css } from 'lit'

export const overviewStyles = css`
  /* Of the page and not of the window: an embedded page can be narrow in a wide one. */
  .main { container-type: inline-size; }
  .columns { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .side { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
  @container (min-width: 840px) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(min(100%, 180px), 1fr)); }
  @container (max-width: 560px) { .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
`
