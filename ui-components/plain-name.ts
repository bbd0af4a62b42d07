// Names that others chose, made fit to be shown. Pure.

/** Controls, and marks that turn the direction of text: with them a name could pretend to be another. */
const TRICKS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu

/** A name that others chose, on one line and without what cannot be seen; a question mark where nothing is left. */
export function plainName(name: string): string {
  const plain = name.replace(TRICKS, ' ').replace(/\s+/g, ' ').trim()
  return plain === '' ? '?' : plain
}
