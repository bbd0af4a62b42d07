// Styles of the Broadcast page.
import { css } from 'lit'

export const broadcastStyles = css`
  .pad { padding: 12px 14px; }
  .room { display: none; }
  .pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); gap: 10px; align-items: end; }
  .filter .pick { flex: 1 1 130px; }
  .group, .form fieldset.group { display: grid; gap: 8px; margin: 0; padding: 8px 10px 10px; min-inline-size: 0; border: 1px solid var(--_hair); border-inline-start: 3px solid var(--_hair-strong); border-radius: var(--_radius); }
  .group legend, .form .group legend { font-size: var(--_text-sm); padding-inline: 4px; }
  .counted { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; min-block-size: 22px; }
  .big { font-size: var(--_text-lg); color: var(--_ink); font-variant-numeric: tabular-nums; }
  .waved { min-block-size: 2.9em; }
  .sum { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 0; margin: 0; font-variant-numeric: tabular-nums; }
  .sum dt { color: var(--_ink-2); }
  .sum dd { margin: 0; text-align: end; }
  .sum .total { font-weight: 650; color: var(--_ink); border-block-start: 1px solid var(--_hair); padding-block-start: 5px; }
  @media (max-width: 560px) {
    .room { display: block; inline-size: 80vw; block-size: 30px; }
    .counted { min-block-size: 44px; }
  }
`
