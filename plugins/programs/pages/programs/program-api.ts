// The API of programs as the page calls it, and its refusals in words.
import {
  type DocumentsApi,
  documentsApiOf,
  type KeelsonPage,
  type Messages,
  registerCatalog
} from '@keelson/ui'

/** English is what the API itself says. */
const english: Messages = {}

/** The calls that the page makes. Paths are those of the API: `/programs`. */
export function programApi(page: KeelsonPage): DocumentsApi {
  registerCatalog('en', english, {
    de: () => import('./refusals.de.json', { with: { type: 'json' } })
  })
  return documentsApiOf(page, '/admin/mailer/api')
}
