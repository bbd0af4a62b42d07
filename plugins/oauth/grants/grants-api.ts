// The programmatic API for access: grants, users, contexts.

import { textOfId } from '../config/person-id.ts'
import type { Services } from '../services.ts'
import { type PageOptions, pageOf } from '../storage/page.ts'
import type { RevokedBy } from '../storage/rows.ts'
import { endGrant } from './end-grant.ts'
import { type ListedGrant, listGrants } from './list-grants.ts'
import type { RevocationCounts } from './revocations.ts'

export interface GrantsApi {
  /** Live grants, newest first. */
  list(
    options?: PageOptions & { readonly userId?: unknown; readonly clientId?: string }
  ): Promise<{ readonly items: readonly ListedGrant[]; readonly limit: number }>
  /** Idempotent. Ends its tokens at once. */
  revoke(
    id: string,
    options?: { readonly by?: RevokedBy }
  ): Promise<{ readonly tokensRevoked: number }>
}

export interface UsersApi {
  /** Deletes everything about a person except one audit row without their id. */
  forget(userId: unknown): Promise<{ readonly grants: number; readonly tokens: number }>
  /** Ends all access; records stay. */
  revokeAll(userId: unknown, options?: { readonly reason?: string }): Promise<RevocationCounts>
}

export interface ContextsApi {
  /** A person left a context: access in it ends, elsewhere it stays. */
  revoked(userId: unknown, contextId: unknown): Promise<RevocationCounts>
}

export function createGrantsApi(
  services: Pick<Services, 'collections' | 'settings' | 'revocations' | 'journal' | 'outbox'>
): GrantsApi {
  const { collections } = services
  return {
    async list({ userId, clientId, ...options } = {}) {
      const page = pageOf(options)
      const filter = {
        ...(userId !== undefined && { userId: textOfId(userId) }),
        ...(clientId !== undefined && { clientId: String(clientId) })
      }
      return { items: await listGrants(filter, page, services), limit: page.limit }
    },
    async revoke(id, { by = 'admin' } = {}) {
      const grant = await collections.grants.findOne({ _id: String(id) })
      if (grant === null) return { tokensRevoked: 0 }
      return endGrant(grant, { by }, services)
    }
  }
}

export function createUsersApi(
  services: Pick<
    Services,
    'collections' | 'revocations' | 'journal' | 'secret' | 'attempts' | 'outbox'
  >
): UsersApi {
  const { collections, revocations, journal, secret, outbox } = services
  return {
    async forget(id) {
      const userId = textOfId(id)
      await outbox.endSessions(userId)
      // First end what could still mint tokens.
      await revocations.ofUser(userId)
      const { grants, tokens, codes, requests, families, audit, attempts, clients, devices } =
        collections
      const { deliveries, scimUsers } = collections
      await services.attempts.settle()
      // Before the tokens: a process that writes tokens looks for their family afterwards, and deletes them.
      await families.deleteMany({ userId })
      const [deletedTokens, deletedGrants] = await Promise.all([
        tokens.deleteMany({ userId }),
        grants.deleteMany({ userId }),
        codes.deleteMany({ userId }),
        requests.deleteMany({ userId }),
        devices.deleteMany({ userId }),
        deliveries.deleteMany({ 'event.userId': userId }),
        scimUsers.deleteMany({ userId }),
        // A service account without its owner acts for nobody.
        clients.updateMany(
          { owner: userId },
          { $set: { status: 'disabled', disabledBy: 'platform' }, $unset: { owner: '' } }
        ),
        audit.deleteMany({ userId }),
        attempts.updateMany({ userId }, { $unset: { userId: '', ip: '' } })
      ])
      await revocations.tellCaches()
      const counts = { grants: deletedGrants.deletedCount, tokens: deletedTokens.deletedCount }
      // Keyed: without the server's key an id cannot be matched with its tombstone.
      const tombstone = await secret.mac('forgotten', userId)
      await journal.audit('oauth.user_forgotten', {
        actor: 'admin',
        meta: { ...counts, tombstone }
      })
      // Entries about other people stay, without this person's id; last, as administrators may forget themselves.
      await audit.updateMany({ actorId: userId }, { $unset: { actorId: '' } })
      return counts
    },
    async revokeAll(id, { reason } = {}) {
      const userId = textOfId(id)
      await outbox.endSessions(userId)
      const event = { type: 'oauth.user_access_revoked', userId }
      const foretold = await journal.foretell(event)
      const ended = await revocations.ofUser(userId)
      const meta = { ...ended, ...(reason !== undefined && { reason }) }
      await journal.audit('oauth.user_access_revoked', { actor: 'admin', userId, meta })
      await journal.track({ ...event, meta }, foretold)
      return ended
    }
  }
}

export function createContextsApi({
  revocations,
  journal
}: Pick<Services, 'revocations' | 'journal'>): ContextsApi {
  return {
    async revoked(id, context) {
      const [userId, contextId] = [textOfId(id), textOfId(context)]
      const event = { type: 'oauth.context_revoked', userId, contextId }
      const foretold = await journal.foretell(event)
      const ended = await revocations.ofContext(userId, contextId)
      const meta = { ...ended, contextId }
      await journal.audit('oauth.context_revoked', { actor: 'admin', userId, meta })
      await journal.track({ ...event, meta }, foretold)
      return ended
    }
  }
}
