// Styles of the Traces page.
import { css } from 'lit'

export const tracesStyles = css`
  .bars svg { display: block; inline-size: 100%; block-size: 100%; fill: var(--_series-1); }
  .bars { display: flex; align-items: end; gap: 2px; block-size: 96px; overflow-x: auto; border-block-end: 1px solid var(--_hair); }
  .bars li { flex: 1 0 24px; block-size: 100%; }
  .bars a { display: block; block-size: 100%; border-radius: 2px; }
  .bars a:hover { background: var(--_sunken); }
  .pick { inline-size: auto; max-inline-size: 190px; }
  .ends { display: flex; justify-content: space-between; font-size: var(--_text-sm); }
`
