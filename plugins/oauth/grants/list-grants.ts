// Live grants with the client they are for and when they were last used.
import type { Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
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
  /** From `grantContext.describe`. */
  readonly contextLabel?: string
  readonly createdAt: Date
  readonly lastUsedAt?: Date
}

export async function listGrants(
  filter: Filter<OAuthGrant>,
  { limit, skip }: { readonly limit: number; readonly skip: number },
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
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
  const [labels, known, used] = await Promise.all([
    contextLabels(rows, settings),
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
    const contextLabel = labels.get(row.contextId ?? '')
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
      ...(contextLabel !== undefined && { contextLabel }),
      createdAt: row.createdAt,
      ...(lastUsedAt !== undefined && { lastUsedAt })
    }
  })
}

/** The list must work without labels: people end access there. */
async function contextLabels(
  rows: readonly Pick<OAuthGrant, 'contextId'>[],
  { grantContext, logger }: Pick<Settings, 'grantContext' | 'logger'>
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ contextId }) => contextId).filter((id) => id !== null))]
  if (grantContext?.describe === undefined || ids.length === 0) return new Map()
  try {
    const described = [...(await grantContext.describe(ids))]
    return new Map(described.map(({ id, label }) => [id, label]))
  } catch (err) {
    logger.warn({ err }, 'grantContext.describe failed; contexts are shown by their ids')
    return new Map()
  }
}
