// The public entry of @keelson/ui/views: the dialog of saved views, in a separate file because few open it.
import { define } from '../define.ts'
import { registerCatalog } from '../locales/catalog.ts'
import { KeelsonViews } from './element.ts'
import texts from './texts.en.json' with { type: 'json' }

export { KeelsonViews } from './element.ts'
export type { ViewGroup, ViewItem } from './item.ts'

/** Registers `keelson-views`. */
export function defineViews(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
  define(KeelsonViews)
}
