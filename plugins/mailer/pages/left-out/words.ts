// Texts of contacts that a broadcast left out or a flow did not take, wherever they are shown.
import { registerCatalog } from '@keelson/ui'
import texts from './words.en.json' with { type: 'json' }

/** Adds the texts; cheap to call again. */
export function registerLeftOutWords(): void {
  registerCatalog('en', texts, { de: () => import('./words.de.json', { with: { type: 'json' } }) })
}

/** Contacts that a flow did not take, by reason, on one line. */
export const notEnteredWords = (
  counts: readonly { readonly reason: string; readonly count: number }[],
  t: (key: string) => string
): string => counts.map(({ reason, count }) => `${t(`whyNot.${reason}`)} (${count})`).join(', ')

/** Why a contact was left out, on one line. */
export function reasonWords(
  { reason, detail }: { readonly reason: string; readonly detail?: string },
  t: (key: string) => string
): string {
  const why = detail === undefined ? [] : [t(`leftOut.why.${detail}`)]
  return [t(`leftOut.${reason}`), ...why].join(', ')
}
