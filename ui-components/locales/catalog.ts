// Messages by language, and how one is chosen and filled.
import { english } from './english-messages.ts'

/** A message with `{slots}`; with two forms, `values.count` chooses by the language's plural rules. */
export type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string })
/** Messages of one language by key. */
export type Messages = Readonly<Record<string, Message>>
/** Values for the slots of a message; numbers are written in its language. */
export type MessageValues = Readonly<Record<string, string | number>>

const catalogs = new Map<string, Messages>([['en', english]])

/** Adds messages to a language, those of a plugin too. Later ones win. */
export function registerCatalog(language: string, messages: Messages): void {
  catalogs.set(language, { ...catalogs.get(language), ...messages })
}

/** A message in the language, in its base language, in English, or the key itself. */
export function translate(language: string, key: string, values: MessageValues = {}): string {
  const base = language.split('-')[0] ?? language
  for (const name of [language, base, 'en']) {
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
