// Styles of the empty state.
import { css } from 'lit'

export const emptyStyles = css`
  :host { padding: 28px 20px; text-align: center; line-height: 1.45; white-space: normal; }
  h2 { font-size: var(--_text-lg); font-weight: 650; }
  p { color: var(--_ink-2); max-inline-size: 46ch; margin: 4px auto 12px; }
`
