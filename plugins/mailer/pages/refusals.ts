// What the admin API refuses and finds, and why mail waits, in the language of the page. English is what the API itself says.
import { type KeelsonPage, type Messages, registerCatalog } from '@keelson/ui'

/** English needs none. */
const english: Messages = {}

/** Adds the texts; cheap to call again. */
export const registerRefusals = (): void =>
  registerCatalog('en', english, {
    de: () => import('./refusals.de.json', { with: { type: 'json' } })
  })

/** Why a mail or a run waits. A cause of another plugin without words here keeps its sentence. */
export function holdWords(
  { cause, message }: { readonly cause: string; readonly message: string },
  t: (key: string) => string
): string {
  const key = `hold.${cause}`
  const words = t(key)
  return words === key ? message : words
}

/** A finding of a template, in the language of the page. A rule of another plugin keeps its sentence. */
export function lintWords<One extends Found>(found: One, t: KeelsonPage['t']): One {
  const [key, hintKey] = [`lint.${found.rule}`, `lintHint.${found.rule}`]
  const message = t(key, { message: found.message, ...found.facts })
  if (message === key) return found
  const hint = t(hintKey)
  return { ...found, message, hint: hint === hintKey ? '' : hint }
}

interface Found {
  readonly rule: string
  readonly message: string
  readonly hint: string
  readonly facts?: Readonly<Record<string, string>>
}
