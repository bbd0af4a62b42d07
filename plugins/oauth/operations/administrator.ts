// The API as one administrator uses it: changes are audited with their id, address and request.
import type { Actor } from '@keelson/sdk'
import { type Journal, originOfActor } from '../audit/journal.ts'
import { type ClientStore, createClientStore } from '../clients/client-store.ts'
import {
  type ContextsApi,
  createContextsApi,
  createGrantsApi,
  createUsersApi,
  type GrantsApi,
  type UsersApi
} from '../grants/grants-api.ts'
import type { HomeTenant } from '../home-tenant.ts'
import type { Services } from '../services.ts'
import { personId, tenantOf } from '../viewers.ts'

export interface Administrator {
  readonly clients: ClientStore
  readonly grants: GrantsApi
  readonly users: UsersApi
  readonly contexts: ContextsApi
  readonly journal: Journal
  /** Whether this administrator may end the access of a person, or erase them. */
  mayManage(userId: string): boolean
}

/** What the operations of the administration are served with. */
export interface AdminHost
  extends Pick<Services, 'settings' | 'collections' | 'keys' | 'attempts'> {
  administratorOf(actor: Actor): Promise<Administrator>
}

export function createAdminHost(services: Services, home: HomeTenant): AdminHost {
  return {
    ...services,
    async administratorOf(actor) {
      const { tenantId, viewerRef } = actor
      const homeTenant = await home.of(tenantId)
      const actorId = personId(actor, homeTenant) ?? viewerRef
      const journal = services.journal.by({ actorId, ...originOfActor(actor) })
      const signed = { ...services, journal }
      return {
        journal,
        mayManage: (userId) => tenantId === '*' || tenantOf(userId, homeTenant) === tenantId,
        clients: createClientStore(signed),
        grants: createGrantsApi(signed),
        users: createUsersApi(signed),
        contexts: createContextsApi(signed)
      }
    }
  }
}
