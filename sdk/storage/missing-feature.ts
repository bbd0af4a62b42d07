// What a server that speaks MongoDB's protocol does not have: told by the code of its refusal, never by its text.
import { MongoServerError } from 'mongodb'

/** CommandNotFound, CommandNotSupported, NotImplemented, an unknown stage, a change stream without a replica set. */
const CODES = new Set([59, 115, 238, 40_324, 40_573])

/**
 * Whether the server refused a command because it does not have it. It will refuse it again: say so once, and go
 * another way.
 *
 * @example if (isMissingFeature(error)) poll() // the server has no change streams
 */
export function isMissingFeature(error: unknown): boolean {
  return error instanceof MongoServerError && CODES.has(Number(error.code))
}
