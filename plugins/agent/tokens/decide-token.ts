// Decides about tokens that administrators made: whether one is in force, what a change makes of it. Pure.
import { type Reach, reachesAll } from './reach.ts'
import type { StoredSecret, TokenRow } from './token-row.ts'
import { isSameHash } from './token-secret.ts'

const DAY_MS = 86_400_000
/** The longest time until a token expires, if it does. */
export const MOST_DAYS = 366
/** The longest time that the secret before a rotation works on. */
export const MOST_GRACE_MS = 7 * DAY_MS
/** How long a token is listed after its end. */
const KEPT_MS = 90 * DAY_MS

/** What a token is at a time. */
export type TokenState = 'active' | 'expired' | 'revoked'

export function stateOf(
  { revokedAt, expiresAt }: Pick<TokenRow, 'revokedAt' | 'expiresAt'>,
  now: Date
): TokenState {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active'
}

const isInForce = ({ until }: StoredSecret, now: Date): boolean =>
  until === undefined || until > now

/** Whether the token may be used with the secret of this hash. */
export const admits = (row: TokenRow, hash: string, now: Date): boolean =>
  stateOf(row, now) === 'active' &&
  row.secrets.some((secret) => isSameHash(secret.hash, hash) && isInForce(secret, now))

/** The secret before the rotation, while it still works. */
export const secretBefore = ({ secrets }: TokenRow, now: Date): StoredSecret | undefined =>
  secrets.slice(1).find((secret) => isInForce(secret, now))

/** The secrets after a rotation: those before the last end at once. */
export function rotated(
  { secrets: [current] }: TokenRow,
  fresh: StoredSecret,
  until: Date | undefined
): readonly StoredSecret[] {
  return current === undefined || until === undefined ? [fresh] : [fresh, { ...current, until }]
}

/** When a token with this end is deleted. */
export const deletedAt = (end: Date): Date => new Date(end.getTime() + KEPT_MS)

/** Why a time cannot be the expiry of a token; undefined when it can. */
export function expiryFault(expiresAt: Date, now: Date): string | undefined {
  const left = expiresAt.getTime() - now.getTime()
  if (Number.isNaN(left)) return 'must be a date and time of ISO 8601'
  if (left <= 0) return 'must be in the future'
  return left > MOST_DAYS * DAY_MS ? `must be within ${MOST_DAYS} days` : undefined
}

/** What a change may set. */
export interface TokenChange extends Partial<Reach> {
  readonly name?: string
  readonly expiresAt?: Date
}

/** Whether a change gives the token more than it has. */
export function grows(row: TokenRow, change: TokenChange): boolean {
  const { scopes = row.scopes, routes = row.routes, expiresAt } = change
  if (!reachesAll(row, { scopes, ...(routes !== undefined && { routes }) })) return true
  return expiresAt !== undefined && row.expiresAt !== undefined && expiresAt > row.expiresAt
}

/** The id of a new token: readable in the audit log, and of no other token. */
export function tokenId(name: string, random: string): string {
  const word = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32)
    .replace(/-$/, '')
  return `${word === '' ? 'token' : word}-${random}`
}
