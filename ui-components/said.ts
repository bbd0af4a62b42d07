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
  readonly format: Pick<Format, 'dateTime'>
  t(key: string, values?: MessageValues): string
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/**
 * The message in the language of the page: its catalogs have `said.<code>` for each sentence. English pages need no
 * such texts, and a message with a sentence that the catalogs miss stays as the server says it. Times among the facts
 * are written as the page writes times.
 */
export function saidWords({ message, said }: Worded, { t, format }: SaidWords): string {
  if (said == null || said.length === 0) return message
  const words = said.map(({ code, facts = {} }) => {
    const key = `said.${code}`
    const shown = Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' && TIME.test(value) ? format.dateTime(value) : value
    ])
    const text = t(key, Object.fromEntries(shown))
    return text === key ? undefined : text
  })
  return words.includes(undefined) ? message : words.join(' ')
}
