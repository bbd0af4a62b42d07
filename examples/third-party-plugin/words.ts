// Which word a mail contains. Pure.

/** The texts of a mail, as far as it has them. */
export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
}

/** Finds the first of the words that a mail contains; upper and lower case are equal. */
export function wordFinder(words: readonly string[]): (mail: MailTexts) => string | undefined {
  const wanted = words.map((word) => ({ word, key: word.toLowerCase() }))
  return ({ subject, text, html = '' }) => {
    const all = `${subject}\n${text}\n${html}`.toLowerCase()
    return wanted.find(({ key }) => all.includes(key))?.word
  }
}
