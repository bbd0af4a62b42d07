// What differs between two versions: field by field, long texts line by line.
import { html, nothing, type TemplateResult } from 'lit'

/** A field that differs, as the admin API compares versions. */
export interface FieldChange {
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
  readonly isTooLarge?: boolean
  readonly hunks?: readonly { readonly newStart: number; readonly lines: readonly string[] }[]
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus' }

const line = (text: string): TemplateResult =>
  html`<div class=${KINDS[text.charAt(0)] ?? ''}>${text}</div>`

/** The changes; `tooLarge` is said of what was not compared. */
export const diffView = (changes: readonly FieldChange[], tooLarge: string): TemplateResult =>
  html`${changes.map(
    ({ field, before, after, hunks, isTooLarge }) => html`<h3>${field}</h3>
      <div class="diff" tabindex="0" role="group" aria-label=${field}>
        ${
          isTooLarge === true
            ? html`<p class="quiet">${tooLarge}</p>`
            : hunks !== undefined
              ? hunks.map(
                  ({ newStart, lines }) =>
                    html`<div class="dim">@@ ${newStart}</div>${lines.map(line)}`
                )
              : html`${before === undefined ? nothing : line(`-${shown(before)}`)}${after === undefined ? nothing : line(`+${shown(after)}`)}`
        }
      </div>`
  )}`
