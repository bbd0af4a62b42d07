// Which rows are stored when a name has a sample rate. Rollups count every record either way.

/**
 * Whether a trace (or a single record, by its id) is kept at a rate. The same text is always decided the
 * same way, so a trace stays whole and a record that is sent again is treated alike.
 */
export const traceKeep = (text: string, rate: number): boolean => rate >= 1 || shareOf(text) < rate

/** A number from 0 to 1 for a text: every character counts, and texts that differ by a counter lie far apart. */
function shareOf(text: string): number {
  // FNV-1a, then the last step of MurmurHash3, which spreads what the last characters changed.
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 0x1_0000_0000
}
