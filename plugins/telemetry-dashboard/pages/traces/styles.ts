// Styles of the Traces page.
import { css } from 'lit'

export const tracesStyles = css`
  .bars svg { display: block; inline-size: 100%; block-size: 100%; fill: var(--_series-1); }
  .bars { display: flex; align-items: end; gap: 2px; block-size: 96px; overflow-x: auto; border-block-end: 1px solid var(--_hair); }
  .bars li { flex: 1 0 24px; block-size: 100%; }
  .bars a { display: block; block-size: 100%; border-radius: 2px; }
  .bars a:hover { background: var(--_sunken); }
  /* As high as it is with its first rows and its footer. */
  .groups { display: block; min-block-size: 400px; }
  .pick { inline-size: auto; max-inline-size: 190px; }
  .ends { min-block-size: 18px; display: flex; justify-content: space-between; font-size: var(--_text-sm); }
`
