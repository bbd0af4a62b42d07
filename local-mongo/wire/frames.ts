// Cuts a stream of bytes into whole messages, within a bound.
import { HEADER_SIZE, MAX_MESSAGE_SIZE } from './limits.ts'

/** Why a stream cannot be read on. */
export type FrameFault = { readonly fault: 'too small' | 'too large'; readonly declared: number }

/** Collects chunks until a message is whole. Holds at most one unfinished message. */
export class FrameReader {
  readonly #limit: number
  #chunks: Buffer[] = []
  #held = 0

  constructor(limit: number = MAX_MESSAGE_SIZE) {
    this.#limit = limit
  }

  /** Bytes that wait for the rest of their message. */
  get heldBytes(): number {
    return this.#held
  }

  /** Takes a chunk; the next `read` calls answer the messages that it completed. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#held += chunk.length
  }

  /** The next whole message, a fault that ends the stream, or nothing yet. */
  read(): Buffer | FrameFault | undefined {
    if (this.#held < 4) return undefined
    const declared = this.#declaredLength()
    if (declared < HEADER_SIZE) return { fault: 'too small', declared }
    if (declared > this.#limit) return { fault: 'too large', declared }
    if (this.#held < declared) return undefined
    return this.#take(declared)
  }

  #declaredLength(): number {
    const first = this.#chunks[0]
    if (first && first.length >= 4) return first.readInt32LE(0)
    this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]?.readInt32LE(0) ?? 0
  }

  #take(length: number): Buffer {
    const first = this.#chunks[0]
    const all = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#held)
    this.#held -= length
    this.#chunks = this.#held > 0 ? [all.subarray(length)] : []
    return all.subarray(0, length)
  }
}
