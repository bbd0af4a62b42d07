// Places of lines that load, or could not be loaded.
import { html, type TemplateResult } from 'lit'

/** As many lines. */
export const bones = (count: number): TemplateResult =>
  html`<ul class="lines" aria-hidden="true">${Array.from({ length: count }, () => html`<li><span class="bone"></span></li>`)}</ul>`

/** As many lines, or why they could not be loaded; the banner of the page offers to try again. */
export const bonesOr = (problem: string, count: number): TemplateResult =>
  problem === '' ? bones(count) : html`<p class="quiet pad">${problem}</p>`
