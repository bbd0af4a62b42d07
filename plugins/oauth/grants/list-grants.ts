// Live grants with the client they are for and when they were last used.
import type { Filter } from 'mongodb'
import type { Services } from '../services.ts'
import type { Branding, OAuthGrant } from '../storage/rows.ts'

export interface ListedGrant {
  readonly id: string
  readonly userId: string
  readonly client: {
    readonly clientId: string
    readonly name: string
    readonly branding?: Branding
  }
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly contextId?: string
  readonly createdAt: Date
  readonly lastUsedAt?: Date
}

export async function listGrants(
  filter: Pick<Filter<OAuthGrant>, 'userId' | 'clientId'>,
  { limit, skip }: { readonly limit: number; readonly skip: number },
  { collections }: Pick<Services, 'collections'>
): Promise<readonly ListedGrant[]> {
  const { grants, clients, tokens } = collections
  const rows = await grants
    .find({ ...filter, revokedAt: null })
    .sort({ createdAt: -1 })
    .skip(skip)
    .limit(limit)
    .toArray()
  if (rows.length === 0) return []
  const clientIds = [...new Set(rows.map(({ clientId }) => clientId))]
  const [known, used] = await Promise.all([
    clients.find({ clientId: { $in: clientIds } }).toArray(),
    tokens
      .aggregate<{ _id: string; at: Date }>([
        { $match: { grantId: { $in: rows.map(({ _id }) => _id) } } },
        { $group: { _id: '$grantId', at: { $max: '$createdAt' } } }
      ])
      .toArray()
  ])
  const byId = new Map(known.map((client) => [client.clientId, client]))
  const lastUsed = new Map(used.map(({ _id, at }) => [_id, at]))
  return rows.map((row) => {
    const client = byId.get(row.clientId)
    const lastUsedAt = lastUsed.get(row._id)
    return {
      id: row._id,
      userId: row.userId,
      client: {
        clientId: row.clientId,
        name: client?.name ?? row.clientId,
        ...(client?.branding !== undefined && { branding: client.branding })
      },
      scopes: row.scopes,
      resources: row.resources,
      ...(row.contextId !== null && { contextId: row.contextId }),
      createdAt: row.createdAt,
      ...(lastUsedAt !== undefined && { lastUsedAt })
    }
  })
}
