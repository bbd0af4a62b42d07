// A scope as the form and the panel of a client name it.
import { html, nothing, type TemplateResult } from 'lit'
import type { OptionsAnswer } from '../../routes/own-schemas.ts'

/** What the config calls a scope, with its id; the id alone where the config has no label for it. */
export function scopeName(id: string, scopes: OptionsAnswer['scopes']): TemplateResult {
  const label = scopes.find((scope) => scope.id === id)?.label ?? id
  return html`${label === id ? nothing : html`${label} `}<span class="mono dim">${id}</span>`
}
