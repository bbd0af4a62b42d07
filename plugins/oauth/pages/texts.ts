// English that the pages for administrators share.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'admin.refresh': 'Refresh',
  'admin.refused':
    'Clients are managed by the platform and by the tenants that its config names. Ask an administrator of one of them.',
  'admin.client': 'Client',
  'admin.person': 'Id of a person',
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
