// The id of a send, derived from its dedupe key: the same mail has the same id in every process.
import { createHash } from 'node:crypto'

const SEND_ID = /^[0-9a-f]{24}$/

/**
 * 24 hex digits of SHA-256, the form of an ObjectId. Writing a send twice therefore meets its `_id`, and a
 * caller knows the id before anything is written.
 */
export function sendIdOf(dedupeKey: string): string {
  return createHash('sha256').update(dedupeKey).digest('hex').slice(0, 24)
}

/** Whether a text has the form of a send id. */
export const isSendId = (text: string): boolean => SEND_ID.test(text)

/** Dedupe keys by what asks for the mail. Keys of different origins can never be equal. */
export const dedupeKeys = {
  oneOff: (key: string) => `oneoff:${key}`,
  operator: (key: string) => `operator:${key}`,
  resend: (sendId: string, key: string) => `resend:${sendId}:${key}`,
  broadcast: (broadcastId: string, externalId: string) => `broadcast:${broadcastId}:${externalId}`,
  /** `path` names the step with the arms that lead to it, as `2.true.0`. */
  flowStep: (runId: string, path: string) => `flowrun:${runId}:step${path}`,
  /** `decision` names the run and the look. */
  program: (decision: string, externalId: string) => `program:${decision}:${externalId}`,
  /** One confirmation mail per contact and day. */
  doubleOptIn: (externalId: string, day: string) => `doi:${externalId}:${day}`
} as const
