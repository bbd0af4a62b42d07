// What tenants allow their people, by the configuration. Pure.
import type { OAuthHostConfig } from './schema.ts'

/** What one tenant allows its people; what is undefined is not limited. */
export interface TenantPolicy {
  readonly clients: ReadonlySet<string> | undefined
  /** Of clients with a metadata document. */
  readonly hosts: ReadonlySet<string> | undefined
  readonly scopes: ReadonlySet<string> | undefined
}

/** Tenants, where the host knows whose people it has. */
export interface TenantSettings {
  readonly tenantOf: (userId: string) => Promise<string | undefined>
  /** Tokens name the tenant. */
  readonly hasClaim: boolean
  /** Administrators of tenants manage clients of their own alone. */
  readonly areOwners: boolean
  readonly policies: ReadonlyMap<string, TenantPolicy>
}

export function tenantsOf({ tenantOf, tenants = {} }: OAuthHostConfig): TenantSettings | undefined {
  if (tenantOf === undefined) return undefined
  const setOf = (ids: readonly string[] | undefined) => ids && new Set(ids)
  const policies = (tenants.policies ?? []).map(
    ({ tenant, clients, hosts, scopes }) =>
      [tenant, { clients: setOf(clients), hosts: setOf(hosts), scopes: setOf(scopes) }] as const
  )
  return {
    tenantOf: async (userId) => (await tenantOf(userId)) ?? undefined,
    hasClaim: tenants.claim ?? false,
    areOwners: tenants.ownClients ?? false,
    policies: new Map(policies)
  }
}
