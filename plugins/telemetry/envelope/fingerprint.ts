// The fingerprint that groups equal errors when the sender gives none: by type and code, by message last. Pure.
import { createHash } from 'node:crypto'
import type { ErrorFrame } from '../schemas/envelope.ts'
import { steadyFile, steadyFunction, steadyMessage } from './steady-text.ts'

/** Frames that tell one error from another, from where it was thrown. */
const FRAMES = 8

/**
 * 16 hex digits. Frames of the application go before those of libraries; without frames the message decides. What
 * changes from release to release, host to host or person to person is left out: build hashes, addresses, ports,
 * lines, ids, numbers, quoted values.
 */
export function fingerprintOf(
  type: string,
  message: string,
  frames: readonly ErrorFrame[] = []
): string {
  const places = placesOf(frames)
  const what = places.length > 0 ? places.join('\n') : steadyMessage(message)
  return createHash('sha256').update(`${type}\n${what}`).digest('hex').slice(0, 16)
}

function placesOf(frames: readonly ErrorFrame[]): readonly string[] {
  const named = frames.filter(({ filename, fn }) => (filename ?? fn ?? '') !== '')
  const own = named.filter(({ inApp }) => inApp !== false)
  const places = (own.length > 0 ? own : named).map(
    ({ filename = '', fn = '' }) => `${steadyFile(filename)} ${steadyFunction(fn)}`
  )
  // A recursion that goes deeper is the same error.
  return places.filter((place, at) => place !== places[at - 1]).slice(0, FRAMES)
}
