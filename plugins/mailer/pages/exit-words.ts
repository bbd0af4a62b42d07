// Why the run of a flow ended, in the language of the page.
import { registerCatalog } from '@keelson/ui'
import texts from './exit-words.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export const registerExitWords = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./exit-words.de.json', { with: { type: 'json' } })
  })

/** A reason that an author wrote, or the host gave, stays as it is. */
export function exitWords(
  reason: string,
  t: (key: string, values?: Readonly<Record<string, string>>) => string
): string {
  const [code = '', ...given] = reason.split(':')
  const key = `exit.${code}${given.length > 0 ? '.by' : ''}`
  const words = t(key, { reason: given.join(':') })
  return words === key ? reason : words
}
