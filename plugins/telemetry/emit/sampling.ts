// Which rows are stored when a name has a sample rate. Rollups count every record either way.

const LAST_HEX = /[0-9a-f]{8}$/i

/**
 * Whether a trace (or a single record, by its id) is kept at a rate. The same text is always decided the
 * same way, so a trace stays whole and a record that is sent again is treated alike.
 */
export function traceKeep(text: string, rate: number): boolean {
  if (rate >= 1) return true
  const hex = LAST_HEX.exec(text)?.[0]
  const share = hex === undefined ? hash(text) : Number.parseInt(hex, 16)
  return share / 0xffffffff < rate
}

// FNV-1a, for ids that do not end in hex digits.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return value
}
