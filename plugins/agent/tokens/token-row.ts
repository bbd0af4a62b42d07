// A row of agent_tokens: a token that an administrator made.
import type { Owner } from '@keelson/sdk'
import type { Reach } from './reach.ts'

/** Kept until 90 days after its end; without an end until it is revoked. */
export interface TokenRow extends Reach {
  /** From the name that it was made with, and random letters: no other token has it, whatever it is called later. */
  readonly _id: string
  /** Of the administrator who made it: it acts for this tenant, and its administrators see it. */
  readonly tenantId: string
  readonly name: string
  /** The one in force, and after a rotation the one before it. */
  readonly secrets: readonly StoredSecret[]
  /** Who made or rotated it last, and so has its secret. It does no more than they may. */
  readonly owner: Owner
  readonly createdAt: Date
  /** From this time on it is refused. Left out: never. */
  readonly expiresAt?: Date
  /** Coarse: a use is noted once in ten minutes. */
  readonly lastUsedAt?: Date
  readonly revokedAt?: Date
  readonly revokedBy?: string
  /** When the database deletes the row. */
  readonly deleteAt?: Date
  /** Its place among the live ones of its tenant, of which there is a limited number. */
  readonly place?: number
}

/** A secret, without what it was. */
export interface StoredSecret {
  /** SHA-256, base64url. */
  readonly hash: string
  /** Its last characters. */
  readonly ending: string
  /** Of the one before a rotation: from this time on it is refused. */
  readonly until?: Date
}
