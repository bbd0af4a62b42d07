// Styles of what differs between two versions.
import { css } from 'lit'

export const diffStyles = css`
  .diff { font: var(--_text-sm) / 1.6 var(--_mono); overflow: auto; max-block-size: 50vh; border: 1px solid var(--_hair); border-radius: var(--_radius); }
  .diff > div { padding-inline: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
  .diff > div > span:first-child { display: inline-block; inline-size: 2ch; }
  .diff .added { background: var(--_good-soft); color: var(--_good); }
  .diff .removed { background: var(--_bad-soft); color: var(--_bad); }
  .diff .place { color: var(--_ink-3); }
`
