// A scope or a resource as the form and the panel of a client name it.
import { html, nothing, type TemplateResult } from 'lit'

/** What the config calls a scope or resource, with its id; the id alone where the config has no label for it. */
export function namedId(
  id: string,
  known: readonly { readonly id: string; readonly label: string }[]
): TemplateResult {
  const label = known.find((one) => one.id === id)?.label ?? id
  return html`${label === id ? nothing : html`${label} `}<span class="mono dim">${id}</span>`
}
