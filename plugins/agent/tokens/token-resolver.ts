// Whose token a request carries: one of the configuration, or one that an administrator made.
import type { StoredTokens } from './stored-tokens.ts'
import type { Caller, TokenRegister } from './token-register.ts'
import { bearerOf, hashOf, isSecret } from './token-secret.ts'

/** Finds who calls. */
export interface TokenResolver {
  /** Undefined for a header without a valid token. */
  callerOf(authorization: string | undefined, now: Date): Promise<Caller | undefined>
  /** Whether a token of this actor is valid and may write. */
  mayAct(actor: string, now: Date): Promise<boolean>
}

/** The database is asked for tokens of its own form alone. */
export function createTokenResolver(
  configured: TokenRegister,
  stored: StoredTokens
): TokenResolver {
  return {
    async callerOf(authorization, now) {
      const token = bearerOf(authorization)
      const hash = hashOf(token)
      const caller = configured.callerOf(hash, now)
      return caller ?? (isSecret(token) ? stored.callerOf(hash, now) : undefined)
    },
    mayAct: async (actor, now) => configured.mayAct(actor, now) || stored.mayAct(actor, now)
  }
}
