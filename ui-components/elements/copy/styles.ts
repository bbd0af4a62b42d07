// Styles of the copy button.
import { css } from 'lit'

export const copyStyles = css`
  :host { display: inline-block; position: relative; vertical-align: middle; }
  button { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 4px; color: var(--_ink-3); }
  button:hover { color: var(--_ink); background: var(--_sunken); }
`
