// Holds a person, or a service account, to what their tenant allows; names the tenant in tokens.
import type { Settings } from '../config/settings.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { type TenantVerdict, tenantVerdict } from './tenant-rules.ts'

type Own = Pick<Settings, 'tenants' | 'scopes'>
/** What a judgement takes. */
type Judging = { readonly settings: Own } & Pick<Services, 'directory' | 'policies'>

const DEACTIVATED = { ok: false, reason: 'The account of this person is deactivated.' } as const

/** Whom a request or a token is for. */
export interface Acting {
  readonly userId: string
  readonly client: Pick<OAuthClient, 'clientId' | 'registration' | 'tenants' | 'owner'>
  /** The token is the client's own. */
  readonly isService?: boolean | undefined
}

/** The tenant of the person; of a service account without an owner that of its client, when it has one. */
export async function tenantOfActing(
  { userId, client, isService }: Acting,
  { tenants }: Own
): Promise<string | undefined> {
  if (tenants === undefined) return undefined
  const isItself = isService === true && client.owner === undefined
  if (!isItself) return tenants.tenantOf(userId)
  return client.tenants?.length === 1 ? client.tenants[0] : undefined
}

/** What the tenant allows of scopes. */
export async function judgeTenant(
  acting: Acting & { readonly scopes: readonly string[] },
  { settings, directory, policies }: Judging
): Promise<TenantVerdict> {
  const { client, scopes } = acting
  if (await directory.isBlocked(acting.userId)) return DEACTIVATED
  if (settings.tenants === undefined) return { ok: true, scopes }
  // Such an account is the platform's: only its administrators can make one that is not of one tenant.
  const isItself = acting.isService === true && client.owner === undefined
  if (isItself && (client.tenants?.length ?? 0) !== 1) return { ok: true, scopes }
  const tenant = await tenantOfActing(acting, settings)
  const own = tenant === undefined ? [] : await policies.of(tenant)
  return tenantVerdict(tenant, { client, scopes }, settings, own)
}

/** The same with the scopes that the tenant leaves. @throws invalid_grant when it leaves none */
export async function withinTenant<T extends Acting & { readonly scopes: readonly string[] }>(
  acting: T,
  judging: Judging
): Promise<T> {
  const verdict = await judgeTenant(acting, judging)
  if (!verdict.ok) throw oauthError('tenantRefusesGrant', { description: verdict.reason })
  return { ...acting, scopes: verdict.scopes }
}

/** The claim that names the tenant, where it is on. */
export async function tenantClaim(
  acting: Acting,
  settings: Own
): Promise<{ readonly tenant_id?: string }> {
  if (settings.tenants?.hasClaim !== true) return {}
  const tenant = await tenantOfActing(acting, settings)
  return tenant === undefined ? {} : { tenant_id: tenant }
}
