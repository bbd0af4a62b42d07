// Styles of the Dashboard page.
import { css } from 'lit'

export const dashboardStyles = css`
  .pad { padding: 12px 14px; margin: 0; }
  .figure { font-variant-numeric: tabular-nums; text-align: end; }
  .bone { inline-size: 60%; block-size: 14px; border-radius: 4px; background: var(--_sunken); }
  details > summary { padding: 8px 14px; color: var(--_ink-2); cursor: pointer; }
  .lines .grow { overflow-wrap: anywhere; }
`
