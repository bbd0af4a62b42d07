// Places of lines that load.
import { html, type TemplateResult } from 'lit'

/** As many lines. */
export const bones = (count: number): TemplateResult =>
  html`<ul class="lines" aria-hidden="true">${Array.from({ length: count }, () => html`<li><span class="bone"></span></li>`)}</ul>`
