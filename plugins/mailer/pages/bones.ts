// Places of lines that load, or could not be loaded.
import { html, type TemplateResult } from 'lit'

/** As many lines. */
export const bones = (count: number): TemplateResult =>
  html`<ul class="lines" aria-hidden="true">${Array.from({ length: count }, () => html`<li><span class="bone"></span></li>`)}</ul>`

/** Pixels of a line of text with its padding and border. */
const LINE = 37

/** As many lines, or why they could not be loaded, as high; the banner of the page offers to try again. */
export const bonesOr = (problem: string, count: number): TemplateResult =>
  problem === ''
    ? bones(count)
    : html`<p class="quiet pad" .style=${`min-block-size: ${count * LINE}px`}>${problem}</p>`
