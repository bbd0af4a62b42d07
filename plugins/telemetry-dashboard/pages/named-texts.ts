// Texts that are their own key: a field that is called `service`, a column that is called Service.
import type { Messages } from '@keelson/ui'

/** A text for each word, under the word in lower case behind `before`. */
export const namedTexts = (before: string, words: string): Messages =>
  Object.fromEntries(words.split(' ').map((word) => [before + word.toLowerCase(), word]))
