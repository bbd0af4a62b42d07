// English of records, of filters and of why nothing matches them.
import { registerCatalog } from '@keelson/ui'
import texts from './texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerRecordTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
}
