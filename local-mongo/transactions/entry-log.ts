// Changes of entries without value, in the order they came in: bytes in one block, for there are many of them.

/** What comes before a key: whether its entry is there afterwards, and how long the key is. */
const HEAD_BYTES = 3
const FIRST_BYTES = 1024

export class EntryLog {
  #block = new Uint8Array(FIRST_BYTES)
  #size = 0

  /** Bytes that the log takes for a key. */
  static sizeOf(key: Uint8Array): number {
    return HEAD_BYTES + key.length
  }

  /** Notes that an entry was put, or removed. The key is copied. */
  add(key: Uint8Array, isThere: boolean): void {
    const end = this.#size + EntryLog.sizeOf(key)
    if (end > this.#block.length) this.#grow(end)
    const block = this.#block
    block[this.#size] = isThere ? 1 : 0
    block[this.#size + 1] = key.length >>> 8
    block[this.#size + 2] = key.length
    block.set(key, this.#size + HEAD_BYTES)
    this.#size = end
  }

  /** Each change in order; the key stays as it is while nothing is added. */
  forEach(act: (key: Uint8Array, isThere: boolean) => void): void {
    const { buffer } = this.#block
    for (let at = 0; at < this.#size; ) {
      const length = ((this.#block[at + 1] as number) << 8) | (this.#block[at + 2] as number)
      act(new Uint8Array(buffer, at + HEAD_BYTES, length), this.#block[at] === 1)
      at += HEAD_BYTES + length
    }
  }

  #grow(least: number): void {
    const larger = new Uint8Array(Math.max(least, this.#block.length * 2))
    larger.set(this.#block.subarray(0, this.#size))
    this.#block = larger
  }
}
