// The texts about what is not saved. German is in `@keelson/ui/german`, with that of the elements.
import { registerCatalog } from './catalog.ts'
import texts from './draft.en.json' with { type: 'json' }

/** Registers them; cheap to call again. */
export const registerDraftTexts = (): void => registerCatalog('en', texts)
