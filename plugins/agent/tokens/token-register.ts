// The tokens of the configuration: kept as hashes, compared in constant time.
import { errors } from '../errors.ts'
import { AGENT_SCOPES, type AgentScope, type Reach } from './reach.ts'
import { hashOf, isSameHash } from './token-secret.ts'

/** A token as the configuration holds it. Several may be valid at once, for rotation. */
export interface AgentToken {
  /** At least 24 characters. */
  readonly token: string
  /** As the audit log names the caller, such as `agent:deploy`. */
  readonly actor: string
  /** What it may do. Default: everything. */
  readonly scopes?: readonly AgentScope[]
  /** From this time on it is refused. Default: never. */
  readonly expiresAt?: Date
  /** Addresses below the mount that it may call, as `/templates/*`. Default: all. */
  readonly routes?: readonly string[]
}

/** Who calls. */
export interface Caller extends Reach {
  readonly actor: string
  /** Left out: a token of the config, which acts for all tenants. */
  readonly tenantId?: string
}

/** Finds whose token it is. */
export interface TokenRegister {
  /** By the hash of a token; undefined for one that is not valid. Takes as long for each wrong one. */
  callerOf(hash: string, now: Date): Caller | undefined
  /** Whether a token of this actor is valid and may write. */
  mayAct(actor: string, now: Date): boolean
}

const MIN_LENGTH = 24

/**
 * Checks and hashes the tokens. Without a list there are those of the database alone.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createTokenRegister(given: readonly AgentToken[] | undefined): TokenRegister {
  if (given?.length === 0) throw errors.AGT_NO_TOKEN()
  const tokens = given ?? []
  for (const [index, { token, actor }] of tokens.entries()) {
    if (token.length < MIN_LENGTH) throw errors.AGT_TOKEN_SHORT({ index, min: MIN_LENGTH })
    if (actor.trim() === '') throw errors.AGT_ACTOR_BLANK({ index })
    const first = tokens.findIndex((other) => other.token === token)
    if (first !== index) throw errors.AGT_TOKEN_TAKEN({ index })
  }
  const known = tokens.map(({ token, actor, scopes = AGENT_SCOPES, expiresAt, routes }) => ({
    hash: hashOf(token),
    expiresAt,
    caller: { actor, scopes, ...(routes !== undefined && { routes }) }
  }))
  const isOver = ({ expiresAt }: (typeof known)[number], now: Date): boolean =>
    expiresAt !== undefined && expiresAt <= now
  return {
    callerOf(hash, now) {
      // Every hash is compared: the time says nothing about which one fits.
      const [found] = known.filter((one) => isSameHash(one.hash, hash))
      return found === undefined || isOver(found, now) ? undefined : found.caller
    },
    mayAct: (actor, now) =>
      known.some(
        (one) =>
          one.caller.actor === actor &&
          one.caller.scopes.includes('mail:write') &&
          !isOver(one, now)
      )
  }
}
