// A sorted set of texts that grows one by one, in chunks so that each addition stays cheap.

const CHUNK = 512

function firstAtLeast(texts: readonly string[], wanted: string): number {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((texts[middle] as string) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Texts in the order of their code units. */
export class SortedTexts {
  /** None is empty; each ends before the next begins. */
  readonly #chunks: string[][] = []

  /** Adds a text that is not there yet. */
  add(text: string): void {
    const position = Math.min(this.#chunkFor(text), this.#chunks.length - 1)
    const chunk = this.#chunks[position]
    if (chunk === undefined) {
      this.#chunks.push([text])
      return
    }
    chunk.splice(firstAtLeast(chunk, text), 0, text)
    if (chunk.length <= CHUNK) return
    this.#chunks.splice(position + 1, 0, chunk.splice(chunk.length >>> 1))
  }

  hasBetween(from: string, to: string): boolean {
    const chunk = this.#chunks[this.#chunkFor(from)]
    if (chunk === undefined) return false
    const text = chunk[firstAtLeast(chunk, from)]
    return text !== undefined && text < to
  }

  /** Those with `from <= text < to`, or backwards. Nothing may be added meanwhile. */
  between(from: string, to: string, reverse: boolean): Iterator<string> {
    return reverse ? this.#backward(from, to) : this.#forward(from, to)
  }

  *#forward(from: string, to: string): Generator<string> {
    for (let at = this.#chunkFor(from); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as string[]
      for (let i = firstAtLeast(chunk, from); i < chunk.length; i++) {
        const text = chunk[i] as string
        if (text >= to) return
        yield text
      }
    }
  }

  *#backward(from: string, to: string): Generator<string> {
    for (let at = Math.min(this.#chunkFor(to), this.#chunks.length - 1); at >= 0; at--) {
      const chunk = this.#chunks[at] as string[]
      for (let i = firstAtLeast(chunk, to) - 1; i >= 0; i--) {
        const text = chunk[i] as string
        if (text < from) return
        yield text
      }
    }
  }

  /** The first chunk whose last text is not before `text`. */
  #chunkFor(text: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const chunk = this.#chunks[middle] as string[]
      if ((chunk[chunk.length - 1] as string) < text) low = middle + 1
      else high = middle
    }
    return low
  }
}
