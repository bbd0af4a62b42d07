// Why a mail did not leave, in the language of the page.
import { type KeelsonPage, registerCatalog } from '@keelson/ui'
import texts from './mail-end.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export const registerMailEnd = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./mail-end.de.json', { with: { type: 'json' } })
  })

/** These quote what a provider answered. */
const QUOTING = new Set(['rejected', 'attempts_used_up', 'provider_unavailable'])

/** By its code; what a provider answered is quoted. Undefined: there is nothing to say. */
export function mailEndWords(
  { exitReason: code, errorMessage: message }: MailEnd,
  t: KeelsonPage['t']
): string | undefined {
  if (code === undefined) return message
  const words = t(`mailEnd.${code}`)
  if (words === `mailEnd.${code}`) return message ?? reasonWords(code, t)
  if (message === undefined || !QUOTING.has(code)) return words
  return t('mailEnd.quoted', { words, message })
}

/** A reason alone, as a filter names it; one of another plugin without its underscores. */
export function reasonWords(code: string, t: (key: string) => string): string {
  const key = `mailEnd.${code}`
  const words = t(key)
  return words === key ? code.replaceAll('_', ' ') : words
}

interface MailEnd {
  readonly exitReason?: string | undefined
  readonly errorMessage?: string | undefined
}
