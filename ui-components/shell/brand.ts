// The mark: the cross section of a hull with its keelson.
import { html, type TemplateResult } from 'lit'

export function brandMark(): TemplateResult {
  return html`<svg
    class="mark"
    width="20"
    height="20"
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    aria-hidden="true"
  ><path d="M2.5 6c1 6 3.8 9.6 7.5 11 3.7-1.4 6.5-5 7.5-11" /><path d="M10 3v14M5.2 6.5h9.6" /></svg>`
}
