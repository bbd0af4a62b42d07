// Styles of the filter chips.
import { css } from 'lit'
import { controls } from '../../controls.ts'

export const filterChipsStyles = css`
  ${controls}
  ul { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .place { position: relative; max-inline-size: 100%; }
  .rest { display: contents; }
  .chip, .add { display: inline-flex; align-items: center; block-size: 26px; max-inline-size: 100%; border: 1px solid var(--_hair-strong); border-radius: 13px; background: var(--_surface); }
  .edit { display: block; padding-inline: 10px 2px; block-size: 100%; border-radius: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .chip i { font-style: normal; color: var(--_ink-3); }
  .chip em { font-style: normal; font-weight: 600; color: var(--_bad); }
  .chip b { font-weight: 600; }
  .chip:hover { border-color: var(--_ink-3); }
  .x { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 50%; color: var(--_ink-3); flex: none; }
  .x:hover { color: var(--_ink); background: var(--_sunken); }
  .add { gap: 6px; padding-inline: 10px; border-style: dashed; color: var(--_ink-2); background: none; }
  .add:hover { color: var(--_ink); border-color: var(--_ink-3); }
  .field { inline-size: 280px; }
  keelson-filter-input, .field { position: absolute; inset-block-start: calc(100% + 4px); inset-inline-start: 0; z-index: 30; }
`
