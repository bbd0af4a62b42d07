// Lines of an upload, each with its number, whatever the pieces it came in.

/** Longer lines are cut: no row of ours is as long. */
export const MOST_CHARACTERS = 8_192

/** A line without its end. */
export interface CsvLine {
  /** Counts from 1. */
  readonly number: number
  /** Cut behind `MOST_CHARACTERS`. */
  readonly text: string
}

/** Every line; empty ones are left out. A byte order mark is not part of the first. */
export async function* csvLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CsvLine> {
  const decoder = new TextDecoder()
  let number = 0
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    // What is too long is refused by its line, so the end of it is not needed.
    rest = (lines.pop() ?? '').slice(0, MOST_CHARACTERS + 1)
    for (const line of lines) {
      number += 1
      const text = plain(line)
      if (text !== '') yield { number, text }
    }
  }
  const text = plain(rest + decoder.decode())
  if (text !== '') yield { number: number + 1, text }
}

const plain = (line: string): string => line.slice(0, MOST_CHARACTERS + 1).replace(/\r$/, '')
