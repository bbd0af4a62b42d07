// A path of sixteen by sixteen as a sign. It is decoration: the words beside it say the same.
import { html, type TemplateResult } from 'lit'

/** Draws the path. */
export const drawShape = (path: string): TemplateResult => html`<svg
  width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
  stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
><path d=${path} /></svg>`
