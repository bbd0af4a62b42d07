// The Contacts page: the contacts of the host, found by id or address.
import type { Static } from '@keelson/sdk'
import {
  definePage,
  type KeelsonPage,
  listPage,
  registerCatalog,
  searchField,
  type TableColumn
} from '@keelson/ui'
import { html } from 'lit'
import type { contactSchema, contactsSchema } from '../../admin/contact-answers.ts'
import { mailHref } from '../addresses.ts'
import { mailApi, queryOf } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Contact = Static<typeof contactSchema>

const columns = ({ t }: KeelsonPage): TableColumn<Contact>[] => [
  {
    id: 'email',
    header: t('contacts.email'),
    grow: 2,
    link: true,
    cell: ({ email }) => email,
    hint: ({ email }) => email
  },
  {
    id: 'id',
    header: t('contacts.id'),
    mono: true,
    quiet: true,
    hideBelow: 480,
    cell: ({ externalId }) => externalId,
    hint: ({ externalId }) => externalId
  },
  {
    id: 'tags',
    header: t('contacts.tags'),
    hideBelow: 380,
    cell: ({ tags }) => tags.map((tag) => html`<span class="tag">${tag}</span> `),
    hint: ({ tags }) => tags.join(', ')
  },
  {
    id: 'zone',
    header: t('contacts.zone'),
    width: 160,
    quiet: true,
    hideBelow: 720,
    cell: ({ timezone = '–' }) => timezone
  }
]

const ContactsPage = listPage<Contact>({
  styles: [pageStyles, panelStyles],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    return {
      texts: 'contacts',
      source: {
        idOf: ({ externalId }) => externalId,
        async read(narrowing, { cursor }, signal) {
          const path = `/contacts?${queryOf({ limit: '50', ...narrowing, cursor })}`
          const answer = await api.read<Static<typeof contactsSchema>>(path, signal)
          return { items: answer.contacts, nextCursor: answer.nextCursor ?? null }
        }
      },
      filters: { params: ['search'] },
      header: () => searchField(page, 'search', t('contacts.search')),
      href: ({ externalId }) => mailHref(page, `contact/${encodeURIComponent(externalId)}`),
      columns
    }
  }
})

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-contacts', ContactsPage)
