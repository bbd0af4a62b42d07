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
import type { OAuthClient } from '../storage/rows.ts'
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
  /** Whose clients this administrator sees beside those of everyone; undefined for the platform's. */
  readonly tenant: string | undefined
  /** Whether the client is not one of other tenants alone. */
  sees(client: Pick<OAuthClient, 'tenants'> | null): boolean
  /**
   * Clients of the own tenant are its administrators'. One of several tenants, or with access to people of others,
   * is changed by the platform's.
   *
   * @throws OAU_CLIENT_SHARED, and OAU_CLIENT_UNKNOWN for one of other tenants alone
   */
  checkClient(clientId: string): Promise<void>
  /**
   * The tenants that a new client is for, or a change gives it to; null takes them away.
   *
   * @throws OAU_PLATFORM_ONLY when an administrator of a tenant names others
   */
  checkTenants(tenants: readonly string[] | null | undefined): void
  /** For new clients that name no tenants. */
  readonly ownTenants: readonly string[] | undefined
  /**
   * A service account has the rights of its owner, so it is the owner's, and the platform's, to give and change.
   *
   * @throws OAU_OWNER_FOREIGN
   */
  checkOwner(owner: string | undefined): void
}

/** What the operations of the administration are served with. */
export interface AdminHost
  extends Pick<Services, 'settings' | 'collections' | 'keys' | 'attempts' | 'hosts' | 'policies'> {
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
      const tenant = people.isEverybody ? undefined : tenantId
      const areOwners = services.settings.tenants?.areOwners === true
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
        tenant,
        ownTenants: tenant !== undefined && areOwners ? [tenant] : undefined,
        sees: (client) => seesClient(tenant, client),
        checkTenants(tenants) {
          if (tenant === undefined || tenants === undefined) return
          if (tenants?.length === 1 && tenants[0] === tenant) return
          throw errors.OAU_PLATFORM_ONLY({ what: 'A client for other tenants' })
        },
        async checkClient(clientId) {
          if (tenant === undefined || people.foreign === undefined) return
          const client = await services.collections.clients.findOne({ clientId })
          if (!seesClient(tenant, client)) throw errors.OAU_CLIENT_UNKNOWN({ clientId })
          const owners = client?.tenants
          if (owners?.length === 1) return
          if (owners !== undefined || areOwners) throw errors.OAU_CLIENT_SHARED({ clientId })
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

const seesClient = (
  tenant: string | undefined,
  client: Pick<OAuthClient, 'tenants'> | null
): boolean =>
  tenant === undefined || client?.tenants === undefined || client.tenants.includes(tenant)
