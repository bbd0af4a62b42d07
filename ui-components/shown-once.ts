// A text that a page shows once, such as a new secret, with a button that copies it.
import { html, type TemplateResult } from 'lit'

/** The text, and the words around it. */
export interface ShownOnce {
  readonly label: string
  /** Line breaks are kept. */
  readonly text: string
  /** What the button does, for people who do not see it: “Copy secret”. */
  readonly copy: string
}

/** The text in a box. The page defines `KeelsonCopy` and has `recordStyles`. */
export const shownOnce = ({
  label,
  text,
  copy
}: ShownOnce): TemplateResult => html`<div class="shown-once">
  <span class="dim">${label}</span>
  <div class="secret"><code>${text}</code><keelson-copy .text=${text} label=${copy}></keelson-copy></div>
</div>`
