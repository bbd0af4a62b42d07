// English of what happened to a mail, for the timeline of a contact and the history of a mail.
import { registerCatalog } from '@keelson/ui'
import texts from './moment-texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerMomentTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('./moment-texts.de.json', { with: { type: 'json' } })
  })
}
