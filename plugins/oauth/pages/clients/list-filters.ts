// The controls that filter the list of clients: a search and a status, both in the address.
import type { KeelsonPage } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { Admin } from '../admin.ts'

export function listFilters(page: KeelsonPage, admin: Admin): TemplateResult {
  const { t, params } = page
  const status = params.get('status') ?? ''
  const option = (value: string) =>
    html`<option value=${value} ?selected=${value === status}>
      ${t(value === '' ? 'clients.all' : `clients.${value}`)}
    </option>`
  return html`${admin.searchField('search', 'clients.search')}
    <select
      class="field pick"
      aria-label=${t('clients.status')}
      @change=${(event: Event) => page.go({ status: (event.target as HTMLSelectElement).value })}
    >
      ${['', 'active', 'disabled'].map(option)}
    </select>`
}
