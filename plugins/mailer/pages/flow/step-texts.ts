// English of steps on cards: their types, their arms, what starts a flow.
import { registerCatalog } from '@keelson/ui'
import texts from './step-texts.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerStepTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('./step-texts.de.json', { with: { type: 'json' } })
  })
}
