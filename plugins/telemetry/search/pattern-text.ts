// Patterns as text that every engine which reads records matches alike: PCRE, RE2 and JavaScript. Pure.

const PLAIN = /^[A-Za-z0-9 _]$/

/** A character that stands for itself, inside of a class too. ASCII that may mean something is written by its code. */
export function charText(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (PLAIN.test(char) || code > 0x7e) return char
  return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
}

/** The character in upper and lower case: engines fold beyond ASCII in ways of their own. */
export function anyCase(char: string): string {
  const forms = [...new Set([char, char.toLowerCase(), char.toUpperCase()])]
  // `ß` has two letters in upper case.
  const single = forms.filter((form) => [...form].length === 1)
  if (single.length === 1) return charText(char)
  // A class of characters beyond 16 bits is one of halves in JavaScript.
  return single.some((form) => form.length > 1)
    ? `(?:${single.map(charText).join('|')})`
    : `[${single.map(charText).join('')}]`
}

/** Finds a text, in upper or lower case. */
export const textPattern = (text: string): string => [...text].map(anyCase).join('')
