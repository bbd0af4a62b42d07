// English that the pages share: rates, kinds, resuming.
import { type Messages, registerCatalog } from '@keelson/ui'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}
/** English is what the server says. */
const said: Messages = {}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
  registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
}
