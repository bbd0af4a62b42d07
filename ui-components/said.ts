// What the server says, in the language of the page: by code and facts, else in the server's own English.
import type { Format } from './format.ts'
import type { MessageValues } from './locales/catalog.ts'

/** A message of an answer, as `defineSentences` of the SDK makes it. */
export interface Worded {
  /** In English. */
  readonly message: string
  readonly said?: readonly Sentence[] | null | undefined
}

interface Sentence {
  readonly code: string
  readonly facts?: MessageValues
}

/** What the words are written with. */
export interface SaidWords {
  readonly format: Pick<Format, 'date' | 'dateTime'>
  t(key: string, values?: MessageValues): string
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
// A date without a time is set to noon UTC, which is the same day in nearly all time zones.
const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * The message in the language of the page: its catalogs have `said.<code>` for each sentence. English pages need no
 * such texts, and a message with a sentence that the catalogs miss stays as the server says it. Times and dates among
 * the facts are written as the page writes them, in both.
 */
export function saidWords({ message, said }: Worded, { t, format }: SaidWords): string {
  if (said == null || said.length === 0) return message
  const shown = (value: string | number): string | number => {
    if (TIME.test(`${value}`)) return format.dateTime(value)
    return DATE.test(`${value}`) ? format.date(`${value}T12:00Z`) : value
  }
  let english = message
  const words = said.map(({ code, facts = {} }) => {
    const key = `said.${code}`
    const values = Object.entries(facts).map(([name, value]) => {
      const written = shown(value)
      if (written !== value) english = english.replaceAll(`${value}`, `${written}`)
      return [name, written]
    })
    const text = t(key, Object.fromEntries(values))
    return text === key ? undefined : text
  })
  return words.includes(undefined) ? english : words.join(' ')
}
