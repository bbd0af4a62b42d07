// The contacts of the platform: those of the plugin that provides them, or none.
import type { ContactAdapter } from '../../ledger/adapter.ts'
import { createMemoryAdapter } from './memory-adapter.ts'

/**
 * An adapter that asks `find` at every call: the plugin that has the contacts may use the mailer itself, and
 * then it comes later.
 */
export function hostContacts(find: () => ContactAdapter | undefined): ContactAdapter {
  const none = createMemoryAdapter([], { writableTags: false })
  const now = () => find() ?? none
  return {
    getById: (externalId) => now().getById(externalId),
    getByEmail: (email) => now().getByEmail(email),
    getBatch: (externalIds) => now().getBatch(externalIds),
    query: (filter, options) => now().query(filter, options),
    count: (filter) => now().count(filter),
    get supportsSort() {
      return now().supportsSort === true
    },
    // Who calls them looks first whether they are there.
    get getByEmails() {
      return bound(now(), 'getByEmails')
    },
    get search() {
      return bound(now(), 'search')
    },
    get addTags() {
      return bound(now(), 'addTags')
    },
    get removeTags() {
      return bound(now(), 'removeTags')
    }
  } as ContactAdapter
}

function bound(adapter: ContactAdapter, name: 'getByEmails' | 'search' | 'addTags' | 'removeTags') {
  return adapter[name]?.bind(adapter)
}
