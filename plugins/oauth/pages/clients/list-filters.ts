// The controls that filter the list of clients: a search and a status, both in the address.
import type { KeelsonPage } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'

const textOf = (event: Event): string =>
  (event.target as HTMLInputElement | HTMLSelectElement).value

export function listFilters(page: KeelsonPage): TemplateResult {
  const { t, params } = page
  const words = t('clients.search')
  const status = params.get('status') ?? ''
  const option = (value: string) =>
    html`<option value=${value} ?selected=${value === status}>
      ${t(value === '' ? 'clients.all' : `clients.${value}`)}
    </option>`
  return html`<input
      class="field pick"
      type="search"
      placeholder=${words}
      aria-label=${words}
      autocomplete="off"
      spellcheck="false"
      .value=${params.get('search') ?? ''}
      @change=${(event: Event) => page.go({ search: textOf(event).trim() })}
    />
    <select
      class="field pick"
      aria-label=${t('clients.status')}
      @change=${(event: Event) => page.go({ status: textOf(event) })}
    >
      ${['', 'active', 'disabled'].map(option)}
    </select>`
}
