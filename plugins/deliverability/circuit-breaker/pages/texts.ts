// English that the pages share: rates, kinds, resuming.
import { registerCatalog } from '@keelson/ui'
import texts from './texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts)
}
