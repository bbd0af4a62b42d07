// Walks through the file, each of whose entries is noted as mapped memory.
import type { MappedMemory } from './mapped-memory.ts'
import { type Entry, NOTHING, type Walk } from './view.ts'

/** A walk over keys alone. */
export function keyWalkOf(iterator: Iterator<Uint8Array>, memory: MappedMemory): Walk {
  return {
    next() {
      const step = iterator.next()
      if (step.done === true) return undefined
      memory.noteEntry(step.value.length)
      return { key: step.value, value: NOTHING }
    },
    close() {
      iterator.return?.()
    }
  }
}

/** The walk, with its entries noted. */
export function noted(walk: Walk, memory: MappedMemory): Walk {
  return {
    next() {
      const entry = walk.next()
      if (entry !== undefined) memory.noteEntry(entry.key.length)
      return entry
    },
    close: () => walk.close()
  }
}

/** A walk over keys and their values. */
export function walkOf(iterator: Iterator<Entry>, memory: MappedMemory): Walk {
  return {
    next() {
      const step = iterator.next()
      if (step.done === true) return undefined
      memory.noteEntry(step.value.value.length)
      return step.value
    },
    close() {
      iterator.return?.()
    }
  }
}
