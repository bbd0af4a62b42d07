// Messages by language, and how one is chosen and filled.
import english from './texts.en.json' with { type: 'json' }

/** A message with `{slots}`; with two forms, `values.count` chooses by the language's plural rules. */
export type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string })
/** Messages of one language by key. */
export type Messages = Readonly<Record<string, Message>>
/** Values for the slots of a message; numbers are written in its language. */
export type MessageValues = Readonly<Record<string, string | number>>

/**
 * Loads messages of other languages, by base language: their catalogs are files of JSON.
 *
 * @example
 * registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
 */
export type Translations = Readonly<Record<string, () => Promise<{ readonly default: Messages }>>>

type Load = Translations[string]

const catalogs = new Map<string, Messages>([['en', english]])
const known = new WeakSet<Messages>()
/** Translations that are not loaded yet, by language. */
const offers = new Map<string, Load[]>()
/** Translations that are being loaded, by language. */
const coming = new Map<string, Promise<void>>()
let onLoaded: (() => void) | undefined

/**
 * Adds messages to a language, those of a plugin too. Later ones win; the same object again does nothing.
 * Translations are loaded when a message is asked for in their language.
 */
export function registerCatalog(
  language: string,
  messages: Messages,
  translations: Translations = {}
): void {
  if (known.has(messages)) return
  known.add(messages)
  catalogs.set(language, { ...catalogs.get(language), ...messages })
  for (const [to, load] of Object.entries(translations))
    offers.set(to, [...(offers.get(to) ?? []), load])
}

/** Sets what is called when translations were loaded. */
export function whenLoaded(act: () => void): void {
  onLoaded = act
}

/**
 * Loads the translations of a language that are registered and not loaded yet: settled when all are there, undefined
 * when they are. What cannot be loaded stays English. Messages ask for them themselves: only what must not change
 * while it is shown waits for this.
 */
export function loadTranslations(language: string): Promise<void> | undefined {
  const base = baseOf(language)
  const due = offers.get(base)
  if (due !== undefined) {
    offers.delete(base)
    const before = coming.get(base)
    const loads = due.map(async (load) => registerCatalog(base, (await load()).default))
    const all = Promise.allSettled([before, ...loads]).then(() => {
      if (coming.get(base) === all) coming.delete(base)
      onLoaded?.()
    })
    coming.set(base, all)
  }
  return coming.get(base)
}

const baseOf = (language: string): string => language.split('-')[0] ?? language

/** A message in the language, in its base language, in English, or the key itself. */
export function translate(language: string, key: string, values: MessageValues = {}): string {
  void loadTranslations(language)
  for (const name of [language, baseOf(language), 'en']) {
    const message = catalogs.get(name)?.[key]
    if (message !== undefined) return fill(formOf(message, name, values), name, values)
  }
  return key
}

function formOf(message: Message, language: string, values: MessageValues): string {
  if (typeof message === 'string') return message
  const count = Number(values['count'] ?? 0)
  return message[new Intl.PluralRules(language).select(count)] ?? message.other
}

function fill(text: string, language: string, values: MessageValues): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return new Intl.NumberFormat(language).format(value)
    return value ?? slot
  })
}
