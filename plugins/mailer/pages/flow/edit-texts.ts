// English of the forms and dialogs of flows.
import { registerCatalog } from '@keelson/ui'
import texts from './edit-texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerEditTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('./edit-texts.de.json', { with: { type: 'json' } })
  })
}
