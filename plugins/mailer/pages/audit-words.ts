// What an entry of the audit log did, in words of the language of the page.
import { registerCatalog } from '@keelson/ui'
import texts from './audit-words.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export const registerAuditWords = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./audit-words.de.json', { with: { type: 'json' } })
  })

/** An action of another plugin may have no words: it stays as it is. */
export function auditWords(action: string, t: (key: string) => string): string {
  const key = `audited.${action}`
  const words = t(key)
  return words === key ? action : words
}
