// What a tenant lets its people do: which clients may connect, and with which scopes. Pure.
import type { Settings } from '../config/settings.ts'
import type { TenantPolicy } from '../config/tenant-settings.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** What is allowed of a request, or a sentence for the operator and the client. */
export type TenantVerdict =
  | { readonly ok: true; readonly scopes: readonly string[] }
  | { readonly ok: false; readonly reason: string }

type Client = Pick<OAuthClient, 'clientId' | 'registration' | 'tenants'>

/** `policies`: each must allow it. `tenant`: undefined for a person or service account of no tenant. */
export function tenantVerdict(
  tenant: string | undefined,
  { client, scopes }: { readonly client: Client; readonly scopes: readonly string[] },
  settings: Pick<Settings, 'scopes'>,
  policies: readonly TenantPolicy[]
): TenantVerdict {
  const isOwn = tenant !== undefined && client.tenants?.includes(tenant) === true
  if (client.tenants !== undefined && !isOwn) {
    return { ok: false, reason: 'The client is for people of other organisations.' }
  }
  if (!isOwn && !policies.every((policy) => isListed(client, policy))) {
    return { ok: false, reason: 'The organisation of this person does not allow the client.' }
  }
  const isAllowed = (id: string) =>
    settings.scopes.get(id)?.isOidc === true ||
    policies.every((policy) => policy.scopes?.has(id) !== false)
  const within = scopes.filter(isAllowed)
  if (within.length === scopes.length) return { ok: true, scopes }
  return within.length > 0
    ? { ok: true, scopes: within }
    : { ok: false, reason: 'The organisation of this person allows none of the scopes.' }
}

/** Without lists every client is allowed. */
function isListed({ clientId, registration }: Client, { clients, hosts }: TenantPolicy): boolean {
  if (clients === undefined && hosts === undefined) return true
  if (clients?.has(clientId) === true) return true
  return registration === 'cimd' && hosts?.has(new URL(clientId).host) === true
}
