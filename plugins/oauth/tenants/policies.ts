// The policies of tenants: those of the config, and those that administrators set since. Both hold.
import type { Collection } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import type { TenantPolicy } from '../config/tenant-settings.ts'
import type { StoredPolicy, StoredState } from '../storage/rows.ts'

/** What the config and the administrators say of one tenant. */
export interface ListedPolicy {
  readonly tenant: string
  readonly configured?: Partial<Record<keyof TenantPolicy, readonly string[]>>
  readonly set?: StoredPolicy
}

export interface Policies {
  /** Every one of them must allow a request. Read at each use, so that a change counts at once. */
  of(tenant: string): Promise<readonly TenantPolicy[]>
  stored(tenant: string): Promise<StoredPolicy | undefined>
  /** By tenant; `after`: the last tenant of the page before. */
  list(page: {
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<readonly ListedPolicy[]>
  /** Of one tenant; without policies it has only its name. */
  about(tenant: string): Promise<ListedPolicy>
  set(tenant: string, policy: StoredPolicy): Promise<void>
  remove(tenant: string): Promise<void>
}

const ROW = 'tenant-policy '
/** The first id after those rows. */
const AFTER_ROWS = 'tenant-policy!'

export function createPolicies(
  { tenants }: Pick<Settings, 'tenants'>,
  state: Collection<StoredState>
): Policies {
  const configured = tenants?.policies ?? new Map<string, TenantPolicy>()
  const stored = async (tenant: string) => (await state.findOne({ _id: `${ROW}${tenant}` }))?.policy
  const listed = (tenant: string, set: StoredPolicy | undefined): ListedPolicy => {
    const given = configured.get(tenant)
    return {
      tenant,
      ...(given !== undefined && { configured: listsOf(given) }),
      ...(set !== undefined && { set })
    }
  }
  return {
    stored,
    async of(tenant) {
      const set = await stored(tenant)
      return [configured.get(tenant) ?? [], set === undefined ? [] : setsOf(set)].flat()
    },
    async list({ limit, after = '' }) {
      const rows = await state
        .find({ _id: { $gt: `${ROW}${after}`, $lt: AFTER_ROWS } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      const sets = new Map(rows.map(({ _id, policy }) => [_id.slice(ROW.length), policy]))
      // Beyond the last row of a full page the order is not known yet.
      const last = rows.length === limit ? [...sets.keys()].at(-1) : undefined
      const others = [...configured.keys()].filter(
        (tenant) => tenant > after && (last === undefined || tenant <= last)
      )
      return [...new Set([...sets.keys(), ...others])]
        .sort()
        .slice(0, limit)
        .map((tenant) => listed(tenant, sets.get(tenant)))
    },
    about: async (tenant) => listed(tenant, await stored(tenant)),
    async set(tenant, policy) {
      await state.updateOne({ _id: `${ROW}${tenant}` }, { $set: { policy } }, { upsert: true })
    },
    async remove(tenant) {
      await state.deleteOne({ _id: `${ROW}${tenant}` })
    }
  }
}

const setsOf = ({ clients, hosts, scopes }: StoredPolicy): TenantPolicy => ({
  clients: clients && new Set(clients),
  hosts: hosts && new Set(hosts),
  scopes: scopes && new Set(scopes)
})

const listsOf = ({ clients, hosts, scopes }: TenantPolicy) => ({
  ...(clients && { clients: [...clients] }),
  ...(hosts && { hosts: [...hosts] }),
  ...(scopes && { scopes: [...scopes] })
})
