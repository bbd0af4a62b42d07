// The Contacts page: the contacts of the host, found by id or address.
import type { Static } from '@keelson/sdk'
import {
  choiceField,
  definePage,
  downloadLink,
  type KeelsonPage,
  Load,
  listPage,
  registerCatalog,
  searchField,
  type TableColumn
} from '@keelson/ui'
import { html } from 'lit'
import type {
  contactCountSchema,
  contactLineSchema,
  contactsSchema
} from '../../admin/contact-answers.ts'
import { CONTACT_STATES } from '../../audience/contacts/contact-states.ts'
import { mailHref } from '../addresses.ts'
import { apiAddress, mailApi, queryOf } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Contact = Static<typeof contactLineSchema>
type ContactCount = Static<typeof contactCountSchema>

/** A state that means that no marketing mail is sent has a colour. */
const TONES: Partial<Record<Contact['state'], string>> = {
  subscribed: 'good',
  bounced: 'bad',
  complained: 'bad',
  suppressed: 'bad'
}

const columns = ({ t, format }: KeelsonPage): TableColumn<Contact>[] => [
  {
    id: 'email',
    header: t('contacts.email'),
    grow: 2,
    link: true,
    cell: ({ email }) => email,
    hint: ({ email }) => email
  },
  {
    id: 'state',
    header: t('contacts.state'),
    width: 132,
    cell: ({ state }) =>
      html`<span class="tag ${TONES[state] ?? ''}">${t(`contacts.is.${state}`)}</span>`,
    hint: ({ subscribedAt }) =>
      subscribedAt && t('contacts.since', { time: format.dateTime(subscribedAt) })
  },
  {
    id: 'id',
    header: t('contacts.id'),
    mono: true,
    quiet: true,
    hideBelow: 560,
    cell: ({ externalId }) => externalId,
    hint: ({ externalId }) => externalId
  },
  {
    id: 'tags',
    header: t('contacts.tags'),
    hideBelow: 640,
    cell: ({ tags }) => tags.map((tag) => html`<span class="tag">${tag}</span> `),
    hint: ({ tags }) => tags.join(', ')
  },
  {
    id: 'zone',
    header: t('contacts.zone'),
    width: 160,
    quiet: true,
    hideBelow: 820,
    cell: ({ timezone = '–' }) => timezone
  }
]

const ContactsPage = listPage<Contact>({
  styles: [pageStyles, panelStyles],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    const count = new Load(page, {
      quiet: true,
      args: () =>
        page.params.has('search') ? null : ([page.params.get('state') ?? undefined] as const),
      run: ([state], signal) =>
        api.read<ContactCount>(`/contact-list/count?${queryOf({ state })}`, signal)
    })
    const counted = () =>
      page.params.has('search') || count.value === undefined
        ? ''
        : t(count.value.isExact ? 'contacts.count' : 'contacts.countAtMost', {
            count: count.value.count
          })
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
      filters: { params: ['search', 'state'] },
      header: () => searchField(page, 'search', t('contacts.search')),
      above: () => html`<div class="row">
        ${choiceField(page, 'state', {
          label: t('contacts.state'),
          choices: ['', ...CONTACT_STATES].map((state) => [
            state,
            t(`contacts.is.${state || 'any'}`)
          ])
        })}
        <span class="dim" role="status">${counted()}</span>
        ${downloadLink(page, {
          href: apiAddress(page, `/contact-list/export?${page.list.filters.params}`),
          name: 'contact-list.csv',
          label: t('contacts.export'),
          look: 'push'
        })}
      </div>`,
      href: ({ externalId }) => mailHref(page, `contact/${encodeURIComponent(externalId)}`),
      columns
    }
  }
})

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-contacts', ContactsPage)
