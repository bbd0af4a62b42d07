// Record ids of the wire: new ones, which may be given, and how parts of readable stored keys are kept apart.
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(16 * 256)
let used = pool.length

/** A new UUID version 7: sorts by the time it was made. */
export function newRecordId(nowMs: number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + 16)
  used += 16
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Percent-encodes what separates the parts of stored keys. */
export function escapePart(text: string): string {
  return /[%|=]/.test(text)
    ? text.replace(/%/g, '%25').replace(/\|/g, '%7C').replace(/=/g, '%3D')
    : text
}

const ESCAPED = /%(25|7C|3D)/g

/** What `escapePart` was given. */
export const unescapePart = (part: string): string => part.replace(ESCAPED, decodeURIComponent)

const WIRE_ID = /^[\x21-\x7e]{16,64}$/

/** Whether a client may name its record so. */
export const isWireId = (value: unknown): value is string =>
  typeof value === 'string' && WIRE_ID.test(value)
