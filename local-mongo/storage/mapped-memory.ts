// How much of the data file is mapped into this process, and when that is worth a look.
import { readFileSync, statSync } from 'node:fs'

/** Pages that were read stay mapped, and count as this process's memory, until all is so much. */
const MOST_RESIDENT_BYTES = 256 * 1024 * 1024
/** Less than this is not worth letting go: the program itself is mapped too. */
const FEW_MAPPED_BYTES = 80 * 1024 * 1024
/** Of room that is left; more where the file is so large that one long write can map as much. */
const CROWDED_BYTES = 96 * 1024 * 1024
const CROWDED_BYTES_OF_LARGE = 144 * 1024 * 1024
/** Between two looks. */
const LOOK_AFTER_BYTES = 16 * 1024 * 1024
/** The system maps a page together with its neighbours: so much for each look-up. */
const BYTES_OF_LOOKUP = 64 * 1024
const PAGE_BYTES = 4096

/** Memory of this process in bytes: all, and what of it is mapped files; 0 where the system does not say. */
export function residentBytes(): { readonly all: number; readonly mapped: number } {
  try {
    const [, all, mapped] = readFileSync('/proc/self/statm', 'latin1').split(' ')
    return { all: Number(all) * PAGE_BYTES, mapped: Number(mapped) * PAGE_BYTES }
  } catch {
    return { all: 0, mapped: 0 }
  }
}

/** Adds up what is read, roughly, and says when it is too much. */
export class MappedMemory {
  readonly #path: string
  readonly #most: number
  readonly #onTooMuch: () => void
  #read = 0
  #isLooking = false
  #isCrowded = false

  /** `path` is that of the file. */
  constructor(path: string, onTooMuch: () => void, most = MOST_RESIDENT_BYTES) {
    this.#path = path
    this.#onTooMuch = onTooMuch
    this.#most = most
  }

  /** Whether one large write could go beyond what is wanted. */
  get isCrowded(): boolean {
    return this.#isCrowded
  }

  /** Notes a look-up by key. */
  noteLookup(): void {
    this.#read += BYTES_OF_LOOKUP
    if (this.#read > LOOK_AFTER_BYTES) this.#look()
  }

  /** Notes an entry of a walk, whose neighbours are on the same page. */
  noteEntry(bytes: number): void {
    this.#read += bytes + 512
    if (this.#read > LOOK_AFTER_BYTES) this.#look()
  }

  /** Whether the whole file may be mapped. */
  #hasRoomForAll(own: number): boolean {
    try {
      return own + statSync(this.#path).size < this.#most
    } catch {
      return false
    }
  }

  /** Looks after the present turn. */
  #look(): void {
    this.#read = 0
    if (this.#isLooking) return
    this.#isLooking = true
    setImmediate(() => {
      this.#isLooking = false
      const { all, mapped } = residentBytes()
      const room = this.#hasRoomForAll(all - mapped) ? CROWDED_BYTES : CROWDED_BYTES_OF_LARGE
      this.#isCrowded = all > this.#most - room
      if (all > this.#most && mapped > FEW_MAPPED_BYTES) this.#onTooMuch()
    })
  }
}
