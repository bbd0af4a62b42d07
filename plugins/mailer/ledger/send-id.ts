// The id of a send, derived from its dedupe key and the mailer's secret: every process makes the same one.
import { createHash, createHmac } from 'node:crypto'

const SEND_ID = /^[0-9a-f]{24}$/

/**
 * 24 hex digits of HMAC-SHA256, the form of an ObjectId. An id is in addresses that anybody can ask for, and a
 * key can be guessed (`oneoff:order-receipt:1001`), so the id follows from it only for who has the secret.
 */
export function sendIdOf(secret: string, dedupeKey: string): string {
  return createHmac('sha256', secret)
    .update(`mailer.send.v1:${dedupeKey}`)
    .digest('hex')
    .slice(0, 24)
}

/** Whether anybody can derive the id of a send from its key: of rows that were written before ids had a secret. */
export function isGuessable({
  _id,
  dedupeKey
}: {
  readonly _id: string
  readonly dedupeKey: string
}): boolean {
  return createHash('sha256').update(dedupeKey).digest('hex').slice(0, 24) === _id
}

/** 12 hex digits: the same target has the same id in a mail, and another one in another mail. */
export function linkIdOf(secret: string, sendId: string, target: string): string {
  return createHmac('sha256', secret)
    .update(`mailer.link.v1:${sendId} ${target}`)
    .digest('hex')
    .slice(0, 12)
}

/** The id that a link had before ids had a secret; its address is signed all the same. */
export function unkeyedLinkId(sendId: string, target: string): string {
  return createHash('sha256').update(`${sendId} ${target}`).digest('hex').slice(0, 12)
}

/** Whether a text has the form of a send id. */
export const isSendId = (text: string): boolean => SEND_ID.test(text)

/** Dedupe keys by what asks for the mail. Keys of different origins can never be equal. */
export const dedupeKeys = {
  oneOff: (key: string) => `oneoff:${key}`,
  operator: (key: string) => `operator:${key}`,
  resend: (sendId: string, key: string) => `resend:${sendId}:${key}`,
  broadcast: (broadcastId: string, externalId: string) => `broadcast:${broadcastId}:${externalId}`,
  /** What the id of a mail of a broadcast is made from: two contacts with one address have one mail. */
  broadcastAddress: (broadcastId: string, email: string) => `broadcastto:${broadcastId}:${email}`,
  /** `path` names the step with the arms that lead to it, as `2.true.0`. */
  flowStep: (runId: string, path: string) => `flowrun:${runId}:step${path}`,
  /** `kind` is none of those above and below: see `RESERVED_KINDS`. */
  campaign: (kind: string, key: string) => `${kind}:${key}`,
  /** One confirmation mail per contact and day. */
  doubleOptIn: (externalId: string, day: string) => `doi:${externalId}:${day}`
} as const

/** Kinds that campaigns of other plugins cannot have: they begin other keys, or name the mailer's own campaigns. */
export const RESERVED_KINDS: readonly string[] = [
  ...['oneoff', 'operator', 'resend', 'broadcast', 'broadcastto', 'flowrun', 'doi'],
  ...['flow', 'single', 'mailer']
]
