// Clients whose id is the address of their metadata document: fetched when needed, stored, refreshed and limited.

import { isDeepStrictEqual } from 'node:util'
import { createBoundedMap } from '@keelson/sdk'
import type { Settings } from '../config/settings.ts'
import { newRowId } from '../crypto/handles.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { clientIdProblem, isAddress } from './allowed-hosts.ts'
import type { FetchDocument } from './guarded-fetch.ts'
import { readDocument } from './read-document.ts'

export type FoundClient =
  | { readonly kind: 'client'; readonly client: OAuthClient }
  /** `reason` is for the operator; callers get one answer for every reason. */
  | { readonly kind: 'none'; readonly reason: string }

export interface MetadataClients {
  find(clientId: string): Promise<FoundClient>
}

export interface MetadataClientParts {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly limiter: Limiter
  readonly fetchDocument: FetchDocument
}

const FAILURE_MS = 60_000
const MAX_FAILURES = 1000
/** How long a document counts when it cannot be fetched again. */
const STALE_MS = 7 * 86_400_000

const none = (reason: string): FoundClient => ({ kind: 'none', reason })

export function createMetadataClients(parts: MetadataClientParts): MetadataClients {
  const { settings, collections } = parts
  const failures = createBoundedMap<string, { readonly until: number; readonly reason: string }>(
    MAX_FAILURES
  )
  const underWay = new Map<string, Promise<FoundClient>>()

  const remember = (clientId: string, reason: string): void => {
    failures.set(clientId, { until: settings.now().getTime() + FAILURE_MS, reason })
  }

  const refresh = async (clientId: string): Promise<FoundClient> => {
    // Read again: another call may have fetched it meanwhile.
    const known = await collections.clients.findOne({ clientId })
    if (known !== null && isSettled(known, settings.now())) return { kind: 'client', client: known }
    const fetched = await fetchClient(clientId, known, parts)
    if (fetched.kind === 'client') return fetched
    remember(clientId, fetched.reason)
    return isUsable(known, settings.now()) ? { kind: 'client', client: known } : fetched
  }

  return {
    async find(clientId) {
      const known = await collections.clients.findOne({ clientId })
      const now = settings.now()
      if (known !== null && isSettled(known, now)) return { kind: 'client', client: known }
      if (!isAddress(clientId)) return none('no client has this id')
      const problem = clientIdProblem(clientId, settings.metadataClients?.allowedHosts ?? [])
      if (problem !== undefined) return none(problem)
      const failure = failures.get(clientId)
      if (failure !== undefined && failure.until > now.getTime()) {
        return isUsable(known, now) ? { kind: 'client', client: known } : none(failure.reason)
      }
      const running = underWay.get(clientId)
      if (running !== undefined) return running
      const started = refresh(clientId).finally(() => underWay.delete(clientId))
      underWay.set(clientId, started)
      return started
    }
  }
}

/** Nothing to fetch: made by hand, disabled, or fresh. */
function isSettled(client: OAuthClient, now: Date): boolean {
  if (client.registration !== 'cimd' || client.status === 'disabled') return true
  return client.metadataExpiresAt !== undefined && client.metadataExpiresAt > now
}

function isUsable(known: OAuthClient | null, now: Date): known is OAuthClient {
  const at = known?.metadataFetchedAt
  return at !== undefined && now.getTime() - at.getTime() < STALE_MS
}

async function fetchClient(
  clientId: string,
  known: OAuthClient | null,
  { settings, collections, limiter, fetchDocument }: MetadataClientParts
): Promise<FoundClient> {
  const own = settings.metadataClients
  if (own === undefined) return none('metadata documents are not fetched')
  try {
    await limiter.take('metadata-fetch', new URL(clientId).host)
  } catch {
    return none('too many fetches from its host')
  }
  const fetched = await fetchDocument(clientId, known?.metadataEtag)
  if (fetched.kind === 'failed') return none(fetched.reason)
  const now = settings.now()
  const times = {
    metadataFetchedAt: now,
    metadataExpiresAt: new Date(now.getTime() + (fetched.freshMs ?? own.cacheTtlMs))
  }
  const { clients } = collections
  if (fetched.kind === 'unchanged') {
    if (known === null) return none('the host answered 304 to the first request')
    await clients.updateOne({ clientId }, { $set: times })
    return { kind: 'client', client: { ...known, ...times } }
  }
  const read = readDocument(fetched.json, clientId, own)
  if (!read.ok) return none(read.reason)
  const { etag } = fetched
  const isSame = known !== null && isDeepStrictEqual(pick(known), { ...read.client })
  const gone = { jwks: '', jwksUri: '', metadataEtag: '' } as const
  const set = { ...read.client, ...times, ...(etag !== undefined && { metadataEtag: etag }) }
  const unset = Object.fromEntries(Object.entries(gone).filter(([name]) => !(name in set)))
  const kept = clients.findOneAndUpdate(
    { clientId, registration: 'cimd' },
    {
      $set: { ...set, ...(!isSame && { updatedAt: now }) },
      ...(Object.keys(unset).length > 0 && { $unset: unset }),
      $setOnInsert: {
        _id: newRowId(),
        metadataUrl: clientId,
        trusted: false,
        secrets: [],
        postLogoutRedirectUris: [],
        allowedResources: [],
        status: 'active',
        createdAt: now
      }
    },
    { upsert: true, returnDocument: 'after' }
  )
  const row = await kept.catch((error: unknown) => {
    // Another process inserted it at the same time.
    if ((error as { code?: number }).code === 11000) return clients.findOne({ clientId })
    throw error
  })
  return row === null ? none('it could not be stored') : { kind: 'client', client: row }
}

/** The part of a stored client that comes from its document. */
function pick(client: OAuthClient): object {
  const { name, type, redirectUris, allowedScopes, tokenEndpointAuthMethod, sectorIdentifier } =
    client
  const { branding, jwks, jwksUri } = client
  return {
    name,
    type,
    redirectUris,
    allowedScopes,
    tokenEndpointAuthMethod,
    sectorIdentifier,
    branding,
    ...(jwks !== undefined && { jwks }),
    ...(jwksUri !== undefined && { jwksUri })
  }
}
