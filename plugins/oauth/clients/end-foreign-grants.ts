// Ends the access of people of other tenants, when a client is given to tenants.
import type { OAuthClient } from '../storage/rows.ts'
import { endGrantsOfClient } from './end-grants-of-client.ts'
import type { StoreParts } from './store-parts.ts'

/** Of people whom the client is no longer for; access of its own people stays. */
export async function endForeignGrants(
  { clientId, tenants }: Pick<OAuthClient, 'clientId' | 'tenants'>,
  parts: StoreParts
): Promise<void> {
  const { collections, settings } = parts
  const own = settings.tenants
  if (tenants === undefined || own === undefined) return
  await collections.requests.deleteMany({ clientId })
  const isOver = async ({ userId }: { readonly userId: string }) => {
    const tenant = await own.tenantOf(userId)
    return tenant === undefined || !tenants.includes(tenant)
  }
  await endGrantsOfClient(clientId, { isOver }, parts)
}
