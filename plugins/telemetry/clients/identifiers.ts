// Random ids of records, traces and spans.

/** So many random bytes as lower-case hex digits. */
export function randomHex(bytes: number): string {
  let hex = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) {
    hex += byte.toString(16).padStart(2, '0')
  }
  return hex
}

/** The W3C header of a span. */
export const traceparentOf = (traceId: string, spanId: string): string =>
  `00-${traceId}-${spanId}-01`

/** Begins with the time, so that ids made one after the other lie together in the database. */
export const newRecordId = (): string => Date.now().toString(16).padStart(12, '0') + randomHex(10)
