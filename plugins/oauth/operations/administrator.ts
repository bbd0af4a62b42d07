// The API as one administrator uses it: changes are audited with their id, address and request.
import type { Actor } from '@keelson/sdk'
import { type Journal, originOfActor } from '../audit/journal.ts'
import { type ClientStore, createClientStore } from '../clients/client-store.ts'
import { errors } from '../errors.ts'
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
import { isKnownPerson } from '../users/known-person.ts'
import { type OwnPeople, peopleOfTenant } from '../users/people-of-tenant.ts'
import { personId } from '../viewers.ts'

export interface Administrator {
  readonly clients: ClientStore
  readonly grants: GrantsApi
  readonly users: UsersApi
  readonly contexts: ContextsApi
  readonly journal: Journal
  /** Those whose access this administrator sees and may end, and whom they may erase. */
  readonly people: OwnPeople
  /** @throws OAU_PLATFORM_ONLY for administrators of a tenant; `what` begins the sentence. */
  checkPlatform(what: string): void
  /** The person of an address. @throws OAU_PERSON_FOREIGN, OAU_PERSON_UNKNOWN */
  personOf(userId: string): Promise<string>
  /**
   * Clients are shared: one with access to people of other tenants is changed by the platform's administrators.
   *
   * @throws OAU_CLIENT_SHARED
   */
  checkClient(clientId: string): Promise<void>
  /**
   * A service account has the rights of its owner, so it is the owner's, and the platform's, to give and change.
   *
   * @throws OAU_OWNER_FOREIGN
   */
  checkOwner(owner: string | undefined): void
}

/** What the operations of the administration are served with. */
export interface AdminHost
  extends Pick<Services, 'settings' | 'collections' | 'keys' | 'attempts' | 'hosts'> {
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
      const people = peopleOfTenant(tenantId, homeTenant)
      return {
        journal,
        people,
        checkPlatform(what) {
          if (!people.isEverybody) throw errors.OAU_PLATFORM_ONLY({ what })
        },
        async personOf(userId) {
          if (!people.has(userId)) throw errors.OAU_PERSON_FOREIGN({ userId })
          if (await isKnownPerson(userId, services)) return userId
          throw errors.OAU_PERSON_UNKNOWN({ userId })
        },
        checkOwner(owner) {
          if (owner === undefined || people.isEverybody || owner === actorId) return
          throw errors.OAU_OWNER_FOREIGN({ owner })
        },
        async checkClient(clientId) {
          if (people.foreign === undefined) return
          const filter = { clientId, revokedAt: null, ...people.foreign }
          const grant = await services.collections.grants.findOne(filter)
          if (grant !== null) throw errors.OAU_CLIENT_SHARED({ clientId })
        },
        clients: createClientStore({ ...signed, isPlatform: people.isEverybody }),
        grants: createGrantsApi(signed),
        users: createUsersApi(signed),
        contexts: createContextsApi(signed)
      }
    }
  }
}
