// How long a signed assertion may live, and how far the clock of its signer may be ahead. Pure.
import type { JWTPayload } from 'jose'

/** FAPI 2.0 §5.3.2.1: 10 seconds ahead must be taken, more than 60 must be refused. */
export const TOLERANCE_SECONDS = 30
const MAX_LIFE_SECONDS = 600

/** Why the times of an assertion that has not expired are refused; undefined when they fit. */
export function timesProblem({ iat, exp = 0 }: JWTPayload, now: Date): string | undefined {
  const seconds = now.getTime() / 1000
  if (exp > seconds + MAX_LIFE_SECONDS) return 'exp is too far away'
  if (iat !== undefined && iat > seconds + TOLERANCE_SECONDS) return 'iat is in the future'
  return undefined
}
