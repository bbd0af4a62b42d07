// The programmatic API for access: grants, users, contexts.

import { textOfId } from '../config/person-id.ts'
import type { Services } from '../services.ts'
import { type PageOptions, pageOf } from '../storage/page.ts'
import type { RevokedBy } from '../storage/rows.ts'
import type { RevocationCounts } from './access.ts'
import { endGrant } from './end-grant.ts'
import { erase } from './erase.ts'
import { type ListedGrant, listGrants } from './list-grants.ts'

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
      const { counts } = await revocations.end(
        {
          event: { type: 'oauth.user_forgotten', userId },
          audit: {
            type: 'oauth.user_forgotten',
            actor: 'admin',
            // Keyed: without the server's key an id cannot be matched with its tombstone.
            meta: { tombstone: await secret.mac('forgotten', userId) },
            isNameless: true
          }
        },
        async (access) => {
          // First end what could still mint tokens.
          await access.ofUser(userId)
          await services.attempts.settle()
          const erased = await erase(userId, collections)
          await revocations.tellCaches()
          return erased
        },
        journal
      )
      // Entries about other people stay, without this person's id; last, as administrators may forget themselves.
      await collections.audit.updateMany({ actorId: userId }, { $unset: { actorId: '' } })
      return counts
    },
    async revokeAll(id, { reason } = {}) {
      const userId = textOfId(id)
      await outbox.endSessions(userId)
      const told = reason === undefined ? {} : { meta: { reason } }
      const { counts } = await revocations.end(
        {
          event: { type: 'oauth.user_access_revoked', userId, ...told },
          audit: { type: 'oauth.user_access_revoked', actor: 'admin', ...told }
        },
        (access) => access.ofUser(userId),
        journal
      )
      return counts
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
      const { counts } = await revocations.end(
        {
          event: { type: 'oauth.context_revoked', userId, contextId },
          audit: { type: 'oauth.context_revoked', actor: 'admin', meta: { contextId } }
        },
        (access) => access.ofContext(userId, contextId),
        journal
      )
      return counts
    }
  }
}
