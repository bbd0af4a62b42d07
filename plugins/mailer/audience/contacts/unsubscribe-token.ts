// The token of an unsubscribe link (document 2, Unsubscribe token), of a confirmation link, and of previews of both.
import type { SuppressionScope } from '../../contracts/mailer-core.ts'
import { readToken, signToken } from './signed-token.ts'

/** What an unsubscribe link asks for. */
export interface UnsubscribeRequest {
  /** Lower case. */
  readonly email: string
  readonly scope: SuppressionScope
  /** The category that one click leaves, when the mail had one. */
  readonly category?: string
  /** The mail that the link was in. */
  readonly sendId?: string
}

const SCOPES: readonly unknown[] = ['all', 'marketing', 'transactional']

/** A token that is valid until `expiresAt`. */
export function signUnsubscribe(
  { email, scope, category, sendId }: UnsubscribeRequest,
  expiresAt: Date,
  secret: string
): string {
  const payload = { e: email, s: scope, x: expiresAt.getTime(), i: sendId, c: category }
  return signToken(payload, secret)
}

/** A token that looks alike, of a mail that is shown and not sent: it changes nothing. */
export const signPreview = (
  { email, scope, category, sendId }: UnsubscribeRequest,
  expiresAt: Date,
  secret: string
): string =>
  signToken(
    { e: email, s: scope, x: expiresAt.getTime(), i: sendId, c: category, k: 'preview' },
    secret
  )

/** Whether a token is that of a preview. */
export const isPreview = (token: string, secret: string): boolean =>
  readToken(token, secret)?.['k'] === 'preview'

/** Undefined when the token is forged, malformed, expired or of another kind. */
export function readUnsubscribe(
  token: string,
  secret: string,
  now: Date
): UnsubscribeRequest | undefined {
  const { e, s, x, i, c, k } = readToken(token, secret) ?? {}
  if (typeof e !== 'string' || !SCOPES.includes(s) || k !== undefined) return undefined
  if (typeof x !== 'number' || x < now.getTime()) return undefined
  return {
    email: e,
    scope: s as SuppressionScope,
    ...(typeof i === 'string' && { sendId: i }),
    ...(typeof c === 'string' && { category: c })
  }
}

/** A token that confirms the subscription of a contact. */
export function signConfirmation(externalId: string, expiresAt: Date, secret: string): string {
  return signToken({ i: externalId, x: expiresAt.getTime(), k: 'doi' }, secret)
}

/** The contact; undefined when the token is forged, malformed, expired or of another kind. */
export function readConfirmation(token: string, secret: string, now: Date): string | undefined {
  const { i, x, k } = readToken(token, secret) ?? {}
  if (k !== 'doi' || typeof i !== 'string' || typeof x !== 'number') return undefined
  return x < now.getTime() ? undefined : i
}
