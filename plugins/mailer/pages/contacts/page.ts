// The Contacts page: the contacts of the host, found by id or address.
import type { Static } from '@keelson/sdk'
import {
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { contactSchema, contactsSchema } from '../../admin/contact-answers.ts'
import { mailHref } from '../addresses.ts'
import { listTable, queryOf } from '../list-table.ts'
import { mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Contact = Static<typeof contactSchema>
type Contacts = Static<typeof contactsSchema>

class ContactsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles]
  readonly #api = mailApi(this)
  readonly #list = new ListLoad(this, {
    args: () => [this.#search] as const,
    idOf: ({ externalId }: Contact) => externalId,
    page: async ([search], { cursor }, signal) => {
      const query = queryOf({ limit: '50', search, cursor })
      const { contacts, nextCursor = null } = await this.#api.read<Contacts>(
        `/contacts?${query}`,
        signal
      )
      return { items: contacts, nextCursor }
    }
  })

  get #search(): string {
    return this.params.get('search') ?? ''
  }

  protected override get windowTitle(): string {
    return this.t('contacts.title')
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('contacts.title')}>
        <input
          class="field search"
          type="search"
          placeholder=${this.t('contacts.search')}
          aria-label=${this.t('contacts.search')}
          autocomplete="off"
          spellcheck="false"
          .value=${this.#search}
          @change=${(event: Event) =>
            this.go({ search: (event.target as HTMLInputElement).value.trim() })}
        />
      </keelson-page-header>
      <div class="main">
        ${listTable({
          heading: this.t('contacts.title'),
          note: this.t('contacts.note'),
          columns: this.#columns(),
          list: this.#list,
          idOf: ({ externalId }) => externalId,
          href: ({ externalId }) => mailHref(`contact/${encodeURIComponent(externalId)}`),
          empty: this.#empty()
        })}
      </div>`
  }

  #empty(): TemplateResult {
    if (this.#search === '')
      return html`<keelson-empty slot="empty" heading=${this.t('contacts.none')} text=${this.t('contacts.noneText')}></keelson-empty>`
    return html`<keelson-empty slot="empty" heading=${this.t('contacts.noneFound')} text=${this.t('contacts.noneFoundText')}>
      <a class="btn" href=${this.address({ search: null })}>${this.t('contacts.clear')}</a>
    </keelson-empty>`
  }

  #columns(): TableColumn<Contact>[] {
    return [
      {
        id: 'email',
        header: this.t('contacts.email'),
        grow: 2,
        link: true,
        cell: ({ email }) => email,
        hint: ({ email }) => email
      },
      {
        id: 'id',
        header: this.t('contacts.id'),
        mono: true,
        quiet: true,
        hideBelow: 480,
        cell: ({ externalId }) => externalId,
        hint: ({ externalId }) => externalId
      },
      {
        id: 'tags',
        header: this.t('contacts.tags'),
        hideBelow: 380,
        cell: ({ tags }) => tags.map((tag) => html`<span class="tag">${tag}</span> `),
        hint: ({ tags }) => tags.join(', ')
      },
      {
        id: 'zone',
        header: this.t('contacts.zone'),
        width: 160,
        quiet: true,
        hideBelow: 720,
        cell: ({ timezone = '–' }) => timezone
      }
    ]
  }
}

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonError)
definePage('mailer-contacts', ContactsPage)
