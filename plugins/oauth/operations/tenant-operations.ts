// Administration of what tenants allow their people: which clients may connect, and with which scopes.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { isHostName } from '../metadata-clients/allowed-hosts.ts'
import { BODY_LIMIT } from '../routes/route.ts'
import type { StoredPolicy } from '../storage/rows.ts'
import { administrator, id, limitParameter } from './admin-operation.ts'
import type { AdminHost, Administrator } from './administrator.ts'
import { policiesAnswer, policyAnswer } from './answers.ts'

const MOST = 200
const list = operation({
  id: 'oauth.tenants.list',
  method: 'GET',
  path: '/admin/tenants',
  summary: 'What tenants allow their people, by the config and by administrators',
  access: administrator,
  effect: 'read',
  query: Type.Object({
    limit: limitParameter(MOST, 50),
    after: Type.Optional(Type.String({ maxLength: 200, description: 'Tenants after this one.' }))
  }),
  answer: policiesAnswer,
  async run({ query: { limit: asked = 50, after } }, { host, actor }: Call<AdminHost>) {
    const { tenant } = await host.administratorOf(actor)
    if (tenant !== undefined) {
      return { mayAdd: false, items: [await host.policies.about(tenant)], next: null }
    }
    const limit = Math.min(asked, MOST)
    const items = await host.policies.list({ limit, after })
    const next = items.length === limit ? (items.at(-1)?.tenant ?? null) : null
    return { mayAdd: host.settings.tenants !== undefined, items, next }
  }
})

const names = (most: number, description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { maxItems: most, description })
  )

const set = operation({
  id: 'oauth.tenants.set',
  method: 'PUT',
  path: '/admin/tenants/:tenant',
  summary: 'Sets what a tenant allows its people; it counts for the next token',
  access: administrator,
  effect: 'change',
  hints: { idempotent: true },
  bodyLimit: BODY_LIMIT,
  params: Type.Object({ tenant: Type.String({ minLength: 1, maxLength: 200 }) }),
  body: Type.Object(
    {
      clients: names(200, 'Ids of clients. Without clients and hosts all are allowed.'),
      hosts: names(200, 'Hosts of metadata documents.'),
      scopes: names(200, 'Default: all.')
    },
    { additionalProperties: false }
  ),
  answer: policyAnswer,
  async run({ params: { tenant }, body }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    await checkOwn(tenant, by, host)
    checkPolicy(body, host)
    const whose = by.tenant === undefined ? 'platform' : 'tenant'
    await host.policies.set(tenant, { ...body, by: whose })
    const meta = { tenant, ...body }
    await by.journal.audit('oauth.tenant_policy_set', { actor: 'admin', meta })
    return host.policies.about(tenant)
  }
})

const remove = operation({
  id: 'oauth.tenants.reset',
  method: 'DELETE',
  path: '/admin/tenants/:tenant',
  summary: 'Takes back what administrators set for a tenant; the config still counts',
  access: administrator,
  effect: 'change',
  hints: { idempotent: true },
  params: Type.Object({ tenant: id }),
  answer: policyAnswer,
  async run({ params: { tenant } }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    await checkOwn(tenant, by, host)
    await host.policies.remove(tenant)
    await by.journal.audit('oauth.tenant_policy_reset', { actor: 'admin', meta: { tenant } })
    return host.policies.about(tenant)
  }
})

/** @throws OAU_PLATFORM_ONLY for another tenant, and for a policy that the platform set */
async function checkOwn(
  tenant: string,
  by: Administrator,
  { policies }: Pick<AdminHost, 'policies'>
): Promise<void> {
  if (by.tenant === undefined) return
  if (by.tenant !== tenant) by.checkPlatform('The policy of another tenant')
  if ((await policies.stored(tenant))?.by === 'platform') {
    by.checkPlatform('A policy that the platform set')
  }
}

/** @throws OAU_REQUEST_INVALID */
function checkPolicy(
  { hosts = [], scopes = [] }: Pick<StoredPolicy, 'hosts' | 'scopes'>,
  { settings }: Pick<AdminHost, 'settings'>
): void {
  const refuse = (path: string, problem: string) => errors.OAU_REQUEST_INVALID({ path, problem })
  if (settings.tenants === undefined) {
    throw refuse('tenant', 'needs a host that knows the tenants of people')
  }
  const scope = scopes.find((one) => !settings.scopes.has(one))
  if (scope !== undefined) throw refuse('scopes', `has ${scope}, which is not a known scope`)
  const name = hosts.find((one) => !isHostName(one))
  if (name !== undefined) throw refuse('hosts', `has ${name}: must be a host or host:port`)
}

/** The operations of tenants. */
export const tenantOperations: readonly Operation<AdminHost>[] = [list, set, remove]
