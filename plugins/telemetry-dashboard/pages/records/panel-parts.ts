// What the panel of a record needs and the list does not: English, and its element.
import { define, KeelsonCopy, registerCatalog } from '@keelson/ui'
import texts from './panel-texts.en.json' with { type: 'json' }

/** Adds the texts and defines the element; cheap to call again. */
export function registerPanelParts(): void {
  define(KeelsonCopy)
  registerCatalog('en', texts)
}
