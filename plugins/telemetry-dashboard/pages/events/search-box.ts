// The field that searches records for text: what is sent becomes a filter of the page.
import { type Filters, type KeelsonPage, registerCatalog } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { SEARCH } from '../address.ts'
import texts from './search-texts.en.json' with { type: 'json' }

/** The words of the field, which come with it. */
export const registerSearch = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./search-texts.de.json', { with: { type: 'json' } })
  })

export function searchBox(page: KeelsonPage, filters: Filters): TemplateResult {
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget as HTMLFormElement).get(SEARCH)
    const value = String(text).trim()
    const others = filters.value.filter(({ field }) => field !== SEARCH)
    page.go(filters.changes(value === '' ? others : [{ field: SEARCH, value }, ...others]))
  }
  return html`<form role="search" @submit=${onSubmit}>
    <input
      class="field pick"
      name=${SEARCH}
      type="search"
      maxlength="500"
      placeholder=${page.t('events.search')}
      aria-label=${page.t('events.search')}
      title=${page.t('events.searchHint')}
      .value=${page.params.get(SEARCH) ?? ''}
    />
  </form>`
}
