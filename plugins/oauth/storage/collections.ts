// The collections of one OAuth host: the seven models and the further ones, opened by name.
import type { Collection, Db, Document, MongoClient } from 'mongodb'
import {
  ATTEMPT_INDEXES,
  AUDIT_RETENTION_DAYS,
  auditIndexes,
  CLIENT_INDEXES,
  CODE_INDEXES,
  EXPIRING_INDEXES,
  FAMILY_INDEXES,
  GRANT_INDEXES,
  type IndexDeclaration,
  KEY_INDEXES,
  REQUEST_INDEXES,
  STATE_INDEXES,
  TOKEN_INDEXES
} from './indexes.ts'
import type {
  OAuthAudit,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthKey,
  OAuthRequest,
  OAuthToken,
  StoredAttempt,
  StoredFamily,
  StoredLimit,
  StoredPushed,
  StoredReplay,
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
  readonly replays: Collection<StoredReplay>
  readonly limits: Collection<StoredLimit>
  readonly attempts: Collection<StoredAttempt>
  readonly state: Collection<StoredState>
}

/** Collection (without prefix) to its indexes. */
export const declaredIndexes = (
  retentionDays: number = AUDIT_RETENTION_DAYS
): Readonly<Record<keyof OAuthCollections, readonly IndexDeclaration[]>> => ({
  clients: CLIENT_INDEXES,
  grants: GRANT_INDEXES,
  codes: CODE_INDEXES,
  tokens: TOKEN_INDEXES,
  requests: REQUEST_INDEXES,
  keys: KEY_INDEXES,
  audit: auditIndexes(retentionDays),
  families: FAMILY_INDEXES,
  pushed: EXPIRING_INDEXES,
  replays: EXPIRING_INDEXES,
  limits: EXPIRING_INDEXES,
  attempts: ATTEMPT_INDEXES,
  state: STATE_INDEXES
})

export const DEFAULT_PREFIX = 'oauth_'

/**
 * Majority and journaled: what a client was told must not be lost. From the primary, whatever the host reads
 * from: a secondary may not know yet what was revoked.
 */
const DURABLE = {
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary'
} as const

export function openCollections(connection: Connection, prefix: string): OAuthCollections {
  // Not by instanceof: the host may have another copy of the driver.
  const db = 'collection' in connection ? connection : connection.db()
  const opened = Object.keys(declaredIndexes()).map((role) => [
    role,
    (db as Db).collection(`${prefix}${role}`, DURABLE)
  ])
  return Object.fromEntries(opened) as unknown as OAuthCollections
}

export function modelsOf(collections: OAuthCollections): OAuthModels {
  return Object.freeze({
    OAuthClient: collections.clients,
    OAuthGrant: collections.grants,
    OAuthCode: collections.codes,
    OAuthToken: collections.tokens,
    OAuthRequest: collections.requests,
    OAuthKey: collections.keys,
    OAuthAudit: collections.audit
  })
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
  return modelsOf(openCollections(connection, collectionPrefix))
}

/** Makes the indexes of the seven models. `auditRetentionDays` defaults to 400. */
export async function syncModelIndexes(
  models: OAuthModels,
  { auditRetentionDays = AUDIT_RETENTION_DAYS }: { readonly auditRetentionDays?: number } = {}
): Promise<void> {
  const declared = declaredIndexes(auditRetentionDays)
  const pairs: readonly [Collection<never>, readonly IndexDeclaration[]][] = [
    [models.OAuthClient as never, declared.clients],
    [models.OAuthGrant as never, declared.grants],
    [models.OAuthCode as never, declared.codes],
    [models.OAuthToken as never, declared.tokens],
    [models.OAuthRequest as never, declared.requests],
    [models.OAuthKey as never, declared.keys],
    [models.OAuthAudit as never, declared.audit]
  ]
  await Promise.all(pairs.map(([collection, indexes]) => createIndexes(collection, indexes)))
}

/** Makes the indexes of every collection. */
export async function syncIndexes(
  collections: OAuthCollections,
  auditRetentionDays: number
): Promise<void> {
  const declared = declaredIndexes(auditRetentionDays)
  await Promise.all(
    Object.entries(declared).map(([role, indexes]) =>
      createIndexes(collections[role as keyof OAuthCollections] as never, indexes)
    )
  )
}

async function createIndexes(
  collection: Collection<never>,
  indexes: readonly IndexDeclaration[]
): Promise<void> {
  if (indexes.length === 0) return
  await collection.createIndexes(
    indexes.map((index) => ({
      name: index.name,
      key: { ...index.keys },
      ...(index.unique === true && { unique: true }),
      ...(index.partial !== undefined && { partialFilterExpression: index.partial }),
      ...(index.ttlSeconds !== undefined && { expireAfterSeconds: index.ttlSeconds })
    }))
  )
}
