// Signatures of tracking addresses: short enough for a URL, made for one purpose each.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { isGuessable } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'

/** What an address is for: an open signature is never valid for a click. `preview`: for nothing. */
export type TrackingScope = 'open' | 'click' | 'honeypot' | 'view' | 'preview'

const LENGTH = 12

/** 12 characters of base64url: 72 bits of HMAC-SHA256 over `mailer.track.v1:<scope>:<sendId>[:<linkId>]`. */
export function trackingSignature(
  secret: string,
  scope: TrackingScope,
  sendId: string,
  linkId?: string
): string {
  const suffix = linkId === undefined ? '' : `:${linkId}`
  return createHmac('sha256', secret)
    .update(`mailer.track.v1:${scope}:${sendId}${suffix}`)
    .digest('base64url')
    .slice(0, LENGTH)
}

/** Whether `given` is the signature; in constant time for any text of the right length. */
export function isSignature(given: string, expected: string): boolean {
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** How the signature of an address came out. `legacy`: it has none, as mail of before signing. */
export type SignatureVerdict = 'valid' | 'legacy' | 'refused'

/** The rule of document 2, Tracking signature. */
export function judgeSignature(
  given: string | undefined,
  expected: string,
  isRequired: boolean
): SignatureVerdict {
  if (given === undefined) return isRequired ? 'refused' : 'legacy'
  return isSignature(given, expected) ? 'valid' : 'refused'
}

/**
 * Whether a mail may have addresses without a signature: it was queued `before` the date from which all are
 * signed (undefined: whenever), and its id cannot be guessed. Pure.
 */
export function mayBeUnsigned(
  send: Pick<SendRow, '_id' | 'dedupeKey' | 'queuedAt'>,
  before: Date | undefined
): boolean {
  return !isGuessable(send) && (before === undefined || send.queuedAt < before)
}

/** One line for each address without a signature (document 2, Tracking signature). */
export function logUnsigned(
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  fields: { readonly sendId: string; readonly scope: 'open' | 'click' },
  isTaken: boolean
): void {
  if (isTaken)
    log.info(fields, 'mailer: unsigned tracking URL accepted (legacy grace mode applies)')
  else log.warn(fields, 'mailer: unsigned tracking URL refused')
}
