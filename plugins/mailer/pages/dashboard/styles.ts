// Styles of the Dashboard page.
import { css } from 'lit'

export const dashboardStyles = css`
  .periods { display: flex; gap: 4px; }
  .periods a { padding: 4px 10px; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); color: var(--_ink-2); font-size: var(--_text-sm); white-space: nowrap; }
  .periods a[aria-current] { border-color: var(--_accent); background: var(--_accent-soft); color: var(--_accent); font-weight: 600; }
  /* As high as it is drawn, before its file is loaded. */
  keelson-chart { display: block; min-block-size: 226px; }
  .pad { padding: 12px 14px; margin: 0; }
  .figure { font-variant-numeric: tabular-nums; text-align: end; }
  .bone { inline-size: 60%; block-size: 14px; border-radius: 4px; background: var(--_sunken); }
  details > summary { padding: 8px 14px; color: var(--_ink-2); cursor: pointer; }
  .lines .grow { overflow-wrap: anywhere; }
  .lines .whole { flex: 0 0 40%; }
  .lines .cut { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  @media (max-width: 760px) { .lines .whole { flex: 1; } }
`
