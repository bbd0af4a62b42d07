// English that the pages for administrators share.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'admin.refused':
    'Clients are managed by the platform and by the tenants named in its config. Ask one of their administrators.',
  'admin.client': 'Client',
  'admin.person': 'User ID',
  'admin.allClients': 'All clients',
  'admin.never': 'never',
  'admin.time': 'Time',
  'admin.act': 'Action',
  'admin.clear': 'Show all'
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
