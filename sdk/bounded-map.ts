// A map with a limit: the entry that was used longest ago goes when one too many comes.
import { LruMap } from 'toad-cache'

/** A map that never holds more than its limit. Reading an entry counts as using it. */
export interface BoundedMap<K, V> {
  readonly size: number
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
}

/**
 * Makes a map for values that are kept per caller, key or name: its memory stays bounded whatever
 * keys a caller makes up. `limit` is the largest number of entries, at least 1.
 */
export function createBoundedMap<K, V>(limit: number): BoundedMap<K, V> {
  return new LruMap<V>(limit)
}
