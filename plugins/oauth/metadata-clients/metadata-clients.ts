// Clients whose id is the address of their metadata document: fetched when needed, stored, refreshed and limited.

import { isDeepStrictEqual } from 'node:util'
import { createBoundedMap } from '@keelson/sdk'
import type { Journal } from '../audit/journal.ts'
import { storedResource } from '../clients/allowed-resources.ts'
import { searchWordsOf } from '../clients/client-search.ts'
import { statusOfNew } from '../clients/status-of-new.ts'
import type { Settings } from '../config/settings.ts'
import { newRowId } from '../crypto/handles.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { type AllowedHosts, clientIdProblem, isAddress, mayFetch } from './allowed-hosts.ts'
import type { FetchDocument } from './guarded-fetch.ts'
import type { HostList } from './host-list.ts'
import { type DocumentClient, readDocument } from './read-document.ts'

export type FoundClient =
  | { readonly kind: 'client'; readonly client: OAuthClient }
  /** `reason` is for the operator; callers get one answer for every reason. */
  | { readonly kind: 'none'; readonly reason: string; readonly refusedHost?: string }

export interface MetadataClients {
  /** `address`: of the caller, whose budget unknown ids use up. */
  find(clientId: string, address: string): Promise<FoundClient>
}

export interface MetadataClientParts {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly limiter: Limiter
  readonly journal: Journal
  readonly fetchDocument: FetchDocument
  readonly hosts: HostList
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
    const orKnown = (found: FoundClient): FoundClient =>
      isUsable(known, settings.now()) ? { kind: 'client', client: known } : found
    if (!(await isWithin('metadata-id', clientId, parts))) return orKnown(TOO_MANY)
    const fetched = await fetchClient(clientId, known, parts)
    if (fetched.kind === 'client') return fetched
    remember(clientId, fetched.reason)
    return orKnown(fetched)
  }

  const fetchOnce = (clientId: string): Promise<FoundClient> => {
    const running = underWay.get(clientId)
    if (running !== undefined) return running
    const started = refresh(clientId).finally(() => underWay.delete(clientId))
    underWay.set(clientId, started)
    return started
  }

  return {
    async find(clientId, address) {
      const known = await collections.clients.findOne({ clientId })
      const now = settings.now()
      if (known !== null && isSettled(known, now)) return { kind: 'client', client: known }
      if (!isAddress(clientId)) return none('no client has this id')
      const problem = clientIdProblem(clientId)
      if (problem !== undefined) return none(problem)
      const url = new URL(clientId)
      if (!mayFetch(url, await allowedOf(parts))) return foreignHost(url)
      const failure = failures.get(clientId)
      if (failure !== undefined && failure.until > now.getTime()) {
        return isUsable(known, now) ? { kind: 'client', client: known } : none(failure.reason)
      }
      if (known !== null) return fetchOnce(clientId)
      // Names that a caller makes up use up its own budget, never that of a client or of a host.
      if (!(await isWithin('metadata-address', address, parts))) return TOO_MANY
      const found = await fetchOnce(clientId)
      if (found.kind === 'client') parts.limiter.giveBack('metadata-address', address)
      return found
    }
  }
}

const allowedOf = async ({ hosts }: MetadataClientParts): Promise<AllowedHosts> => ({
  isAny: hosts.isAny,
  names: await hosts.names()
})

const foreignHost = ({ host }: URL): FoundClient => ({
  kind: 'none',
  reason: `its host ${host} is not among clientIdMetadata.hosts`,
  refusedHost: host
})

const TOO_MANY = none('too many fetches')

async function isWithin(
  bucket: 'metadata-address' | 'metadata-id',
  key: string,
  { limiter }: Pick<MetadataClientParts, 'limiter'>
): Promise<boolean> {
  return limiter.take(bucket, key).then(
    () => true,
    () => false
  )
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
  parts: MetadataClientParts
): Promise<FoundClient> {
  const { settings, collections, fetchDocument } = parts
  const own = settings.metadataClients
  if (own === undefined) return none('metadata documents are not fetched')
  const fetched = await fetchDocument(clientId, known?.metadataEtag)
  if (fetched.kind === 'failed') return none(fetched.reason)
  const now = settings.now()
  const times = {
    metadataFetchedAt: now,
    metadataExpiresAt: new Date(now.getTime() + (fetched.freshMs ?? own.cacheTtlMs))
  }
  if (fetched.kind === 'unchanged') {
    if (known === null) return none('the host answered 304 to the first request')
    await collections.clients.updateOne({ clientId }, { $set: times })
    return { kind: 'client', client: { ...known, ...times } }
  }
  const { allowedScopes } = own
  const ofServer = [...settings.scopes.values()].filter(({ isOidc }) => !isOidc)
  const ownScopes = ofServer.map(({ id }) => id)
  const limits = { allowedScopes, ownScopes, hosts: await allowedOf(parts) }
  const read = readDocument(fetched.json, clientId, limits)
  if (!read.ok) return none(read.reason)
  const { etag } = fetched
  const stamped = { ...times, ...(etag !== undefined && { metadataEtag: etag }) }
  return keep(clientId, { known, document: read.client, stamped }, parts)
}

interface NewDocument {
  readonly known: OAuthClient | null
  readonly document: DocumentClient
  /** Its times and ETag. */
  readonly stamped: Partial<OAuthClient>
}

/** Stores what a document says, within the limits of an administrator. */
async function keep(
  clientId: string,
  { known, document, stamped }: NewDocument,
  { settings, collections: { clients }, journal }: MetadataClientParts
): Promise<FoundClient> {
  const now = settings.now()
  const limits = known?.limitedScopes
  const allowedScopes = document.allowedScopes.filter((id) => limits?.includes(id) ?? true)
  const described: DocumentClient = { ...document, allowedScopes }
  const changed = known === null ? [] : changedFields(known, described)
  const gone = { jwks: '', jwksUri: '', metadataEtag: '' } as const
  const searchWords = searchWordsOf({ clientId, ...described })
  const set = {
    ...described,
    ...stamped,
    searchWords,
    ...(changed.length > 0 && { updatedAt: now })
  }
  const unset = Object.fromEntries(Object.entries(gone).filter(([name]) => !(name in set)))
  const kept = clients.findOneAndUpdate(
    { clientId, registration: 'cimd' },
    {
      $set: known === null ? { ...set, updatedAt: now } : set,
      ...(Object.keys(unset).length > 0 && { $unset: unset }),
      $setOnInsert: {
        _id: newRowId(),
        metadataUrl: clientId,
        trusted: false,
        secrets: [],
        postLogoutRedirectUris: [],
        allowedResources: [...settings.resources.keys()].map((id) => storedResource(id, settings)),
        ...statusOfNew(settings.metadataClients?.needsApproval ?? false),
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
  if (row === null) return none('it could not be stored')
  const about = { actor: 'client', clientId } as const
  if (known === null) await journal.audit('oauth.client_created', about)
  else if (changed.length > 0) {
    const meta = { fields: changed, source: 'metadata document' }
    await journal.audit('oauth.client_updated', { ...about, meta })
  }
  return { kind: 'client', client: row }
}

const DESCRIBED: readonly (keyof DocumentClient)[] = [
  'name',
  'type',
  'redirectUris',
  'allowedScopes',
  'tokenEndpointAuthMethod',
  'sectorIdentifier',
  'branding',
  'jwks',
  'jwksUri'
]

/** The fields that a new document changes. */
const changedFields = (known: OAuthClient, document: DocumentClient): readonly string[] =>
  DESCRIBED.filter((name) => !isDeepStrictEqual(known[name], document[name]))
