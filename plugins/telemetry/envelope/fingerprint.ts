// The fingerprint that groups equal errors when the sender gives none.

import { createHash } from 'node:crypto'
import type { ErrorFrame } from '../schemas/envelope.ts'

/** Of type, message without its changing parts, and the first frame. 16 hex digits. */
export function fingerprintOf(
  type: string,
  message: string,
  frame: ErrorFrame | undefined
): string {
  const steady = message.replace(/\b[0-9a-f]{8,}(-[0-9a-f]{4,})*\b/gi, '#').replace(/\d+/g, '#')
  const place = frame === undefined ? '' : `${frame.filename ?? ''} ${frame.fn ?? ''}`
  return createHash('sha256').update(`${type}\n${steady}\n${place}`).digest('hex').slice(0, 16)
}
