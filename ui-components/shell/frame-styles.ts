// Styles of the place of the page.
import { css } from 'lit'
import { controls } from '../controls.ts'

export const frameStyles = css`
  ${controls}
  :host { min-inline-size: 0; }
  .waiting { animation: appear 0.2s 0.3s both; }
  .waiting .bone { inline-size: 180px; }
  @keyframes appear { from { opacity: 0; } }
`
