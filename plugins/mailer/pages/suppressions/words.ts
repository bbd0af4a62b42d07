// English of suppressions wherever they are shown.
import { registerCatalog } from '@keelson/ui'
import texts from './words.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerSuppressionWords(): void {
  registerCatalog('en', texts, { de: () => import('./words.de.json', { with: { type: 'json' } }) })
}
