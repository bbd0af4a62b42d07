// Styles of the Segments page: lists in its panel, and filters in its dialogs.
import { css } from 'lit'

export const segmentStyles = css`
  .who { display: grid; gap: 4px; overflow-wrap: anywhere; line-height: 24px; }
  .who a { display: inline-block; min-block-size: 24px; }
  .stack { display: grid; gap: 8px; }
  .filter { flex-wrap: wrap; }
  .group { display: grid; gap: 8px; margin: 0; padding: 8px; border: 1px solid var(--_hair); border-radius: var(--_radius); min-inline-size: 0; }
`
