// Styles of the list of shortcuts.
import { css } from 'lit'

export const shortcutListStyles = css`
  dl > div { display: grid; grid-template-columns: 84px 1fr; align-items: center; min-block-size: 30px; border-block-end: 1px solid var(--_hair); }
  dl > div:last-child { border: 0; }
  dd { color: var(--_ink); }
  label { padding-block-end: 8px; }
`
