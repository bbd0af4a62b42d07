// Clients: made, read, changed, given new secrets, switched off and on again.

import { isDeepStrictEqual } from 'node:util'
import type { Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import { hashOf, newClientId, newHandle, newRowId } from '../crypto/handles.ts'
import { errors } from '../errors.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import { type PageOptions, pageOf } from '../storage/page.ts'
import type { OAuthClient, PublicClient, StoredSecret } from '../storage/rows.ts'
import { resourcesOf, storedResource } from './allowed-resources.ts'
import { type ClientFields, type ClientPatch, checkClient } from './client-fields.ts'
import { afterCursor, cursorAt, searchFilter, searchWordsOf } from './client-search.ts'
import { type ClientSwitches, switches } from './client-switches.ts'
import { endForeignGrants } from './end-foreign-grants.ts'
import { publicClient } from './public-client.ts'
import type { StoreParts } from './store-parts.ts'
import { withoutFields } from './without-fields.ts'

export interface CreatedClient {
  readonly client: PublicClient
  readonly clientId: string
  readonly type: 'confidential' | 'public'
  /** Shown this once. Only for clients that authenticate with a secret. */
  readonly clientSecret?: string
}

export interface ClientListOptions extends PageOptions {
  readonly status?: 'active' | 'disabled'
  /** Starts of words of the name, the id or a callback's host; all of them must match. */
  readonly search?: string
  /** Without clients that are for other tenants alone. */
  readonly tenant?: string | undefined
  /** `nextCursor` of the page before, instead of `skip`. */
  readonly cursor?: string
}

export interface ClientStore extends ClientSwitches {
  /** @throws OAU_CLIENT_INVALID, naming the bad value. */
  create(fields: ClientFields & { readonly clientId?: string }): Promise<CreatedClient>
  /** `retireAfter`: milliseconds that older secrets still work. Default 0. */
  rotateSecret(
    clientId: string,
    options?: { readonly retireAfter?: number; readonly label?: string }
  ): Promise<CreatedClient>
  /** `undefined` (as JSON: `null`) takes keys, branding or `idTokenAlg` away. */
  update(clientId: string, patch: ClientPatch): Promise<PublicClient>
  get(clientId: string): Promise<PublicClient | null>
  /** Newest first. @throws OAU_REQUEST_INVALID for an unknown cursor. */
  list(options?: ClientListOptions): Promise<{
    readonly items: readonly PublicClient[]
    readonly limit: number
    /** `cursor` of the next page; null on the last one. */
    readonly nextCursor: string | null
  }>
  /** For clients that register themselves; `more`: what only such clients have. */
  register(fields: ClientFields, more: RegisteredFields): Promise<CreatedClient>
}

/** What only clients have that registered themselves, and the status of a new one. */
export type RegisteredFields = Pick<
  OAuthClient,
  'status' | 'disabledBy' | 'awaitsApproval' | 'unusedUntil' | 'registrationTokenHash'
>

const MAX_SECRETS = 10

export function createClientStore(parts: StoreParts): ClientStore {
  const { settings, collections, journal } = parts
  const { clients } = collections
  const find = async (clientId: string): Promise<OAuthClient> => {
    const client = await clients.findOne({ clientId: String(clientId) })
    if (client === null) throw errors.OAU_CLIENT_UNKNOWN({ clientId })
    return client
  }
  return {
    create: (fields) => createClient(fields, { registration: 'manual', status: 'active' }, parts),
    register: (fields, more) => createClient(fields, { registration: 'dynamic', ...more }, parts),
    async rotateSecret(clientId, { retireAfter = 0, label } = {}) {
      const now = settings.now()
      const secret = newHandle()
      const next = { hash: hashOf(secret), createdAt: now, ...(label !== undefined && { label }) }
      const withNext = async (): Promise<OAuthClient> => {
        const client = await find(clientId)
        if (!hasSecret(client)) throw withoutSecret(clientId)
        const older = retired(client.secrets, now, retireAfter)
        const secrets = [...older, next].slice(-MAX_SECRETS)
        const unchanged = { _id: client._id, ...holding(client.secrets) }
        const { modifiedCount } = await clients.updateOne(unchanged, {
          $set: { secrets, updatedAt: now }
        })
        // Another call rotated at the same time: its secret must work as well.
        return modifiedCount === 1 ? { ...client, secrets } : withNext()
      }
      const client = await withNext()
      await journal.audit('oauth.client_secret_rotated', { actor: 'admin', clientId })
      await journal.track({ type: 'oauth.client_secret_rotated', clientId })
      return created(client, secret, settings)
    },
    async update(clientId, patch) {
      const client = await find(clientId)
      const fields = fieldsOf(client, settings)
      checkPatch(patch)
      const { allowedResources = client.allowedResources } = patch
      const checked = {
        ...checkClient({ ...fields, ...withoutNull(patch) }, settings, clientId),
        allowedResources: allowedResources.map((id) => storedResource(id, settings))
      }
      if (checked.type !== client.type) {
        throw errors.OAU_CLIENT_INVALID({ path: 'type', problem: 'cannot be changed' })
      }
      // Only changed fields are written: others may disable the client or change its secrets meanwhile.
      const changes = withLimits(client, changedFields(client, checked), parts.isClient === true)
      const searchWords = searchWordsOf({ ...client, ...changes })
      const change = { ...changes, searchWords, updatedAt: settings.now() }
      const gone = Object.keys(fields).filter((name) => !(name in checked))
      const $unset = Object.fromEntries(gone.map((name) => [name, '' as const]))
      await clients.updateOne(
        { _id: client._id },
        { $set: change, ...(gone.length > 0 && { $unset }) }
      )
      if ('tenants' in changes) await endForeignGrants({ clientId, ...changes }, parts)
      const meta = { fields: [...Object.keys(changes), ...gone] }
      await journal.audit('oauth.client_updated', {
        actor: parts.isClient === true ? 'client' : 'admin',
        clientId,
        meta
      })
      return publicClient(withoutFields({ ...client, ...change }, gone), settings)
    },
    async get(clientId) {
      const client = await clients.findOne({ clientId: String(clientId) })
      return client === null ? null : publicClient(client, settings)
    },
    list: (options) => listClients(options, parts),
    ...switches(parts, find)
  }
}

async function listClients(
  { status, search = '', tenant, cursor, ...options }: ClientListOptions = {},
  { settings, collections: { clients } }: StoreParts
): ReturnType<ClientStore['list']> {
  const { limit, skip } = pageOf(options)
  const rows = await clients
    .find({
      ...(status !== undefined && { status }),
      // Null stands for clients without the field.
      ...(tenant !== undefined && { tenants: { $in: [null as never, tenant] } }),
      ...searchFilter(search),
      ...(cursor !== undefined && afterCursor(cursor))
    })
    .sort({ createdAt: -1, _id: -1 })
    .skip(cursor === undefined ? skip : 0)
    .limit(limit + 1)
    .toArray()
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const nextCursor = last === undefined ? null : cursorAt(last)
  return { items: shown.map((row) => publicClient(row, settings)), limit, nextCursor }
}

async function createClient(
  { clientId = newClientId(), ...fields }: ClientFields & { readonly clientId?: string },
  more: RegisteredFields & Pick<OAuthClient, 'registration'>,
  { settings, collections, journal }: StoreParts
): Promise<CreatedClient> {
  if (typeof clientId !== 'string' || !/^[\x21-\x7E]{1,512}$/.test(clientId)) {
    throw errors.OAU_CLIENT_INVALID({
      path: 'clientId',
      problem: 'must be 1 to 512 printable characters'
    })
  }
  const now = settings.now()
  const checked = checkClient(fields, settings, clientId)
  const secret = hasSecret(checked) ? newHandle() : undefined
  const client: OAuthClient = {
    _id: newRowId(),
    clientId,
    ...checked,
    ...more,
    searchWords: searchWordsOf({ clientId, ...checked }),
    secrets: secret === undefined ? [] : [{ hash: hashOf(secret), createdAt: now }],
    createdAt: now,
    updatedAt: now
  }
  await insert(collections.clients, client)
  const actor = more.registration === 'dynamic' ? 'client' : 'admin'
  await journal.audit('oauth.client_created', { actor, clientId })
  return created(client, secret, settings)
}

/** An empty list would mean all resources, which is for the creation of a client. */
function checkPatch({ allowedResources }: ClientPatch): void {
  if (allowedResources?.length !== 0) return
  const problem = 'must name at least one resource'
  throw errors.OAU_CLIENT_INVALID({ path: 'allowedResources', problem })
}

/** Fields that a metadata document describes. */
const OF_THE_DOCUMENT: readonly (keyof OAuthClient)[] = [
  'name',
  'redirectUris',
  'tokenEndpointAuthMethod',
  'sectorIdentifier',
  'branding',
  'jwks',
  'jwksUri'
]

/**
 * A change of a client. One with a metadata document keeps what its document says; an administrator limits
 * its scopes and resources, and the limits outlast the document, or what the client registers later.
 */
function withLimits(
  client: OAuthClient,
  changes: Partial<OAuthClient>,
  isClient: boolean
): Partial<OAuthClient> {
  if (client.registration === 'manual') return changes
  if (client.registration === 'dynamic') {
    return isClient || changes.allowedScopes === undefined
      ? changes
      : { ...changes, limitedScopes: changes.allowedScopes }
  }
  const path = OF_THE_DOCUMENT.find((name) => name in changes)
  if (path !== undefined) {
    const problem = 'comes from the metadata document of this client'
    throw errors.OAU_CLIENT_INVALID({ path, problem })
  }
  const { allowedScopes } = changes
  return allowedScopes === undefined ? changes : { ...changes, limitedScopes: allowedScopes }
}

function withoutSecret(clientId: string): Error {
  return errors.OAU_CLIENT_NO_SECRET({ clientId, path: 'clientId', problem: 'has no secret' })
}

const hasSecret = (client: Pick<OAuthClient, 'tokenEndpointAuthMethod'>): boolean =>
  client.tokenEndpointAuthMethod.startsWith('client_secret')

async function insert(clients: OAuthCollections['clients'], client: OAuthClient): Promise<void> {
  try {
    await clients.insertOne(client)
  } catch (cause) {
    if ((cause as { code?: number }).code !== 11000) throw cause
    const problem = `${client.clientId} is taken`
    throw errors.OAU_CLIENT_INVALID({ path: 'clientId', problem, cause })
  }
}

/** A filter for the client that still has exactly these secrets. */
const holding = (secrets: readonly StoredSecret[]): Filter<OAuthClient> => ({
  secrets: { $size: secrets.length },
  ...(secrets.length > 0 && { 'secrets.hash': { $all: secrets.map(({ hash }) => hash) } })
})

const REMOVABLE: ReadonlySet<string> = new Set([
  'jwks',
  'jwksUri',
  'backchannelLogoutUri',
  'branding',
  'idTokenAlg',
  'accessTokenTtl',
  'refreshTokenTtl',
  'refreshAbsoluteTtl',
  'tenants',
  'owner',
  'grantTypes',
  'expiresAt'
])

/** In JSON, null removes a field. */
const withoutNull = (patch: ClientPatch): Partial<ClientFields> =>
  Object.fromEntries(
    Object.entries(patch).map(([name, value]: [string, unknown]) => [
      name,
      value === null && REMOVABLE.has(name) ? undefined : value
    ])
  )

const changedFields = (client: OAuthClient, checked: Partial<OAuthClient>): Partial<OAuthClient> =>
  Object.fromEntries(
    Object.entries(checked).filter(
      ([name, value]) => !isDeepStrictEqual(value, client[name as keyof OAuthClient])
    )
  )

/** Older secrets retire after the delay, never later than they were to; those that have are dropped. */
export function retired(
  secrets: readonly StoredSecret[],
  now: Date,
  retireAfterMs: number
): readonly StoredSecret[] {
  const at = new Date(now.getTime() + Math.max(0, retireAfterMs))
  return secrets
    .map((secret) => ({
      ...secret,
      retiresAt: secret.retiresAt !== undefined && secret.retiresAt < at ? secret.retiresAt : at
    }))
    .filter((secret) => secret.retiresAt > now)
}

function created(
  client: OAuthClient,
  clientSecret: string | undefined,
  settings: Settings
): CreatedClient {
  const { clientId, type } = client
  return {
    client: publicClient(client, settings),
    clientId,
    type,
    ...(clientSecret !== undefined && { clientSecret })
  }
}

/** What `checkClient` takes, of a stored client. */
function fieldsOf(client: OAuthClient, settings: Settings): ClientFields {
  const {
    _id,
    clientId,
    registration,
    secrets,
    status,
    disabledBy,
    awaitsApproval,
    unusedUntil,
    registrationTokenHash,
    createdAt,
    updatedAt,
    metadataUrl,
    metadataFetchedAt,
    metadataExpiresAt,
    metadataEtag,
    limitedScopes,
    searchWords,
    ...fields
  } = client
  const known = resourcesOf(client, settings).filter((id) => settings.resources.has(id))
  const { expiresAt } = client
  return {
    ...fields,
    allowedResources: known,
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() })
  } as ClientFields
}
