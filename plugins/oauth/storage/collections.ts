// The collections of one OAuth host: the seven models and the further ones, opened by name, and their indexes.
import { syncCollections } from '@keelson/sdk'
import type { Collection, Db, Document, MongoClient } from 'mongodb'
import { errors } from '../errors.ts'
import manifest from '../plugin.json' with { type: 'json' }
import type {
  OAuthAudit,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthKey,
  OAuthRequest,
  OAuthToken,
  StoredAttempt,
  StoredDelivery,
  StoredDevice,
  StoredFamily,
  StoredPushed,
  StoredReplay,
  StoredScimUser,
  StoredState
} from './rows.ts'

/** A driver `Db`, a `MongoClient` (its default database), or whatever opens collections by name. */
export type Connection =
  | Db
  | MongoClient
  | { collection<T extends Document>(name: string): Collection<T> }

export interface OAuthModels {
  readonly OAuthClient: Collection<OAuthClient>
  readonly OAuthGrant: Collection<OAuthGrant>
  readonly OAuthCode: Collection<OAuthCode>
  readonly OAuthToken: Collection<OAuthToken>
  readonly OAuthRequest: Collection<OAuthRequest>
  readonly OAuthKey: Collection<OAuthKey>
  readonly OAuthAudit: Collection<OAuthAudit>
}

/** All collections, by what they hold. */
export interface OAuthCollections {
  readonly clients: Collection<OAuthClient>
  readonly grants: Collection<OAuthGrant>
  readonly codes: Collection<OAuthCode>
  readonly tokens: Collection<OAuthToken>
  readonly requests: Collection<OAuthRequest>
  readonly keys: Collection<OAuthKey>
  readonly audit: Collection<OAuthAudit>
  readonly families: Collection<StoredFamily>
  readonly pushed: Collection<StoredPushed>
  readonly devices: Collection<StoredDevice>
  readonly replays: Collection<StoredReplay>
  readonly deliveries: Collection<StoredDelivery>
  readonly scimUsers: Collection<StoredScimUser>
  readonly attempts: Collection<StoredAttempt>
  readonly state: Collection<StoredState>
}

export const DEFAULT_PREFIX = manifest.collectionPrefix
/** Days that audit rows are kept by default. */
export const AUDIT_RETENTION_DAYS = 400
const DAY_SECONDS = 86_400

/** What the collections hold: their names in the manifest, without the prefix. */
const ROLES = manifest.collections.map(({ name }) => name.slice(DEFAULT_PREFIX.length))

/** `scim_users` is `scimUsers` in code. */
const nameInCode = (role: string): string =>
  role.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const MODEL_ROLES = ['clients', 'grants', 'codes', 'tokens', 'requests', 'keys', 'audit']

/**
 * Majority and journaled: what a client was told must not be lost. From the primary, whatever the host reads
 * from: a secondary may not know yet what was revoked.
 */
const DURABLE = {
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary'
} as const

export function openCollections(connection: Connection, prefix: string): OAuthCollections {
  const db = databaseOf(connection)
  const opened = ROLES.map((role) => [
    nameInCode(role),
    (db as Db).collection(`${prefix}${role}`, DURABLE)
  ])
  return Object.fromEntries(opened) as unknown as OAuthCollections
}

// Not by instanceof: the host may have another copy of the driver.
export const databaseOf = (connection: Connection) =>
  'collection' in connection ? connection : connection.db()

/** Where the collections of models are. */
interface Origin {
  readonly connection: Connection
  readonly prefix: string
}

/** `syncModelIndexes` gets nothing but the models. */
const origins = new WeakMap<OAuthModels, Origin>()

export function modelsOf(collections: OAuthCollections, origin: Origin): OAuthModels {
  const models = Object.freeze({
    OAuthClient: collections.clients,
    OAuthGrant: collections.grants,
    OAuthCode: collections.codes,
    OAuthToken: collections.tokens,
    OAuthRequest: collections.requests,
    OAuthKey: collections.keys,
    OAuthAudit: collections.audit
  })
  origins.set(models, origin)
  return models
}

export interface ModelOptions {
  readonly connection: Connection
  /** Default `oauth_`. */
  readonly collectionPrefix?: string
}

/** The seven collections, typed. Touches no database. */
export function createModels({
  connection,
  collectionPrefix = DEFAULT_PREFIX
}: ModelOptions): OAuthModels {
  const collections = openCollections(connection, collectionPrefix)
  return modelsOf(collections, { connection, prefix: collectionPrefix })
}

/**
 * Makes the indexes of the seven models. `auditRetentionDays` defaults to 400.
 *
 * @throws OAU_CONFIG_INVALID for models that neither `createModels` nor `createOAuthHost` made.
 */
export async function syncModelIndexes(
  models: OAuthModels,
  { auditRetentionDays = AUDIT_RETENTION_DAYS }: { readonly auditRetentionDays?: number } = {}
): Promise<void> {
  const origin = origins.get(models)
  if (origin === undefined) {
    const problem = 'createModels() did not make them'
    throw errors.OAU_CONFIG_INVALID({ path: 'models', problem })
  }
  const db = databaseOf(origin.connection)
  if (!('listCollections' in db)) {
    const problem = 'indexes can only be made over a Db or a MongoClient'
    throw errors.OAU_CONFIG_INVALID({ path: 'connection', problem })
  }
  const { prefix } = origin
  await syncCollections(db, storageManifest(auditRetentionDays, MODEL_ROLES), { prefix })
}

/** The manifest with the collections of these roles, by default all, whose audit log is kept for so many days. */
export function storageManifest(auditRetentionDays: number, roles: readonly string[] = ROLES) {
  const collections = manifest.collections
    .filter(({ name }) => roles.includes(name.slice(DEFAULT_PREFIX.length)))
    .map((collection) => ({
      ...collection,
      indexes: collection.indexes.map((index) =>
        collection.name === `${DEFAULT_PREFIX}audit` && 'ttlSeconds' in index
          ? { ...index, ttlSeconds: auditRetentionDays * DAY_SECONDS }
          : index
      )
    }))
  return { ...manifest, collections }
}
