// Third party plugin: which word a mail contains.

/** The first of the words that one of the texts contains, whatever the case; undefined for none. */
export function wordIn(words, ...texts) {
  const all = texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .toLowerCase()
  return words.find((word) => all.includes(word.toLowerCase()))
}
