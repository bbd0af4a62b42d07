// Ids for items that have none: made of their content, so that an item exported again is the same record.
import { createHash } from 'node:crypto'

const DIGITS = 32

/**
 * A maker of ids for one request. Equal items of the same request are numbered; the same
 * request sent again counts the same way.
 */
export function contentId(): (signal: string, parts: readonly unknown[]) => string {
  const seen = new Map<string, number>()
  return (signal, parts) => {
    const hash = createHash('sha256').update(signal).update(JSON.stringify(parts)).digest('hex')
    const digest = hash.slice(0, DIGITS)
    const count = seen.get(digest) ?? 0
    seen.set(digest, count + 1)
    return count === 0 ? digest : `${digest}-${count}`
  }
}
