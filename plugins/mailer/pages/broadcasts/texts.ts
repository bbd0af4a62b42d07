// English of the Broadcasts page.
import { registerCatalog } from '@keelson/ui'
import texts from './texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerBroadcastsTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
}
