// Ends the access of people of other tenants, when a client is given to tenants.
import type { OAuthClient } from '../storage/rows.ts'
import type { StoreParts } from './store-parts.ts'

const BATCH = 500

/** Of people whom the client is no longer for; access of its own people stays. */
export async function endForeignGrants(
  { clientId, tenants }: Pick<OAuthClient, 'clientId' | 'tenants'>,
  {
    collections,
    settings,
    revocations
  }: Pick<StoreParts, 'collections' | 'settings' | 'revocations'>
): Promise<void> {
  const own = settings.tenants
  if (tenants === undefined || own === undefined) return
  await collections.requests.deleteMany({ clientId })
  const rows = collections.grants
    .find({ clientId, revokedAt: null }, { projection: { userId: 1 } })
    .batchSize(BATCH)
  let foreign: string[] = []
  for await (const { _id, userId } of rows) {
    const tenant = await own.tenantOf(userId)
    if (tenant !== undefined && tenants.includes(tenant)) continue
    foreign.push(_id)
    if (foreign.length < BATCH) continue
    await revocations.ofGrants(foreign, 'admin')
    foreign = []
  }
  if (foreign.length > 0) await revocations.ofGrants(foreign, 'admin')
}
