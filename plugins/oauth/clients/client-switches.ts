// Clients switched off, on again, and deleted; each ends access or lets it begin again.
import { errors } from '../errors.ts'
import type { Access } from '../grants/access.ts'
import type { OAuthClient, PublicClient } from '../storage/rows.ts'
import { endGrantsOfClient } from './end-grants-of-client.ts'
import { publicClient } from './public-client.ts'
import type { StoreParts } from './store-parts.ts'
import { withoutFields } from './without-fields.ts'

/** The part of the store that ends access. */
export interface ClientSwitches {
  /** Ends all its access at once. */
  disable(
    clientId: string
  ): Promise<{ readonly grantsRevoked: number; readonly tokensRevoked: number }>
  enable(clientId: string): Promise<PublicClient>
  /**
   * Ends all its access and deletes it. A client with a metadata document would come back with its next
   * request: it is refused, and can be disabled.
   */
  remove(
    clientId: string
  ): Promise<{ readonly grantsRevoked: number; readonly tokensRevoked: number }>
}

/** `disable` ends all access at once; after `enable` the client can request access again. */
export function switches(
  parts: StoreParts,
  find: (clientId: string) => Promise<OAuthClient>
): ClientSwitches {
  const { settings, collections, revocations, journal, isPlatform = true } = parts
  const { clients } = collections
  // Twice: a process that is killed in between leaves the client active and not its tokens, and what is
  // granted before the client is disabled ends as well.
  const end = async ({ _id, clientId, status, disabledBy }: OAuthClient, access: Access) => {
    const isKept = status === 'disabled' && disabledBy !== 'tenant'
    const by = isPlatform || isKept ? 'platform' : 'tenant'
    const disabled = { status: 'disabled', disabledBy: by } as const
    const before = await endGrantsOfClient(clientId, {}, parts)
    await clients.updateOne({ _id }, { $set: { ...disabled, updatedAt: settings.now() } })
    const after = await endGrantsOfClient(clientId, {}, parts)
    const rest = await access.ofClientRequests(clientId)
    return {
      grantsRevoked: before.grantsRevoked + after.grantsRevoked,
      tokensRevoked: before.tokensRevoked + after.tokensRevoked + rest.tokensRevoked
    }
  }
  /** The change and its audit entry and event; `after`: what follows in the same change. */
  const endBy = async (
    client: OAuthClient,
    type: 'oauth.client_disabled' | 'oauth.client_deleted',
    after: () => Promise<unknown> = async () => undefined
  ) => {
    const { clientId, name } = client
    const meta = type === 'oauth.client_deleted' ? { name } : {}
    const { counts } = await revocations.end(
      { event: { type, clientId }, audit: { type, actor: 'admin', meta } },
      async (access) => {
        const ended = await end(client, access)
        await after()
        return ended
      },
      journal
    )
    return counts
  }
  return {
    async remove(clientId) {
      const client = await find(clientId)
      if (client.registration === 'cimd') {
        const problem = 'has a metadata document and would be back with its next request'
        throw errors.OAU_CLIENT_INVALID({ path: 'clientId', problem })
      }
      checkOwnDisabled(client, isPlatform)
      return endBy(client, 'oauth.client_deleted', () => clients.deleteOne({ _id: client._id }))
    },
    disable: async (clientId) => endBy(await find(clientId), 'oauth.client_disabled'),
    async enable(clientId) {
      const client = await find(clientId)
      checkOwnDisabled(client, isPlatform)
      const updatedAt = settings.now()
      await clients.updateOne(
        { _id: client._id },
        { $set: { status: 'active', updatedAt }, $unset: { disabledBy: '', awaitsApproval: '' } }
      )
      await journal.audit('oauth.client_enabled', { actor: 'admin', clientId })
      const enabled = {
        ...withoutFields(client, ['disabledBy', 'awaitsApproval']),
        status: 'active',
        updatedAt
      } as const
      return publicClient(enabled, settings)
    }
  }
}

/** What the platform disabled, no administrator of a tenant enables, or deletes to make it anew. */
function checkOwnDisabled(
  { status, disabledBy, clientId }: OAuthClient,
  isPlatform: boolean
): void {
  if (isPlatform || status !== 'disabled' || disabledBy === 'tenant') return
  throw errors.OAU_PLATFORM_ONLY({ what: `The client ${clientId}, which the platform disabled,` })
}
