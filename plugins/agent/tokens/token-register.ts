// The tokens of the agent API: kept as hashes, compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto'
import { errors } from '../errors.ts'

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

/** `mail:read` reads and simulates; `mail:write` does all the rest. */
export type AgentScope = 'mail:read' | 'mail:write'

/** Who calls. */
export interface Caller {
  readonly actor: string
  readonly scopes: readonly AgentScope[]
  readonly routes?: readonly string[]
}

/** Finds who calls. */
export interface TokenRegister {
  /** Undefined for a header without a valid token. Takes as long for each wrong one. */
  callerOf(authorization: string | undefined, now: Date): Caller | undefined
  /** Whether a token of this actor is valid and may write. */
  mayAct(actor: string, now: Date): boolean
}

/** Every scope there is. */
export const AGENT_SCOPES: readonly AgentScope[] = ['mail:read', 'mail:write']
const MIN_LENGTH = 24

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Checks and hashes the tokens.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createTokenRegister(tokens: readonly AgentToken[]): TokenRegister {
  if (tokens.length === 0) throw errors.AGT_NO_TOKEN()
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
    callerOf(authorization, now) {
      const hash = hashOf(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '')
      // Every hash is compared: the time says nothing about which one fits.
      const [found] = known.filter((one) => timingSafeEqual(one.hash, hash))
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
