// The declared indexes of every collection: plain data, used by syncIndexes and compared with plugin.json.
import type { Document } from 'mongodb'

export interface IndexDeclaration {
  readonly name: string
  readonly keys: Readonly<Record<string, 1 | -1>>
  readonly unique?: true
  readonly partial?: Document
  readonly ttlSeconds?: number
}

const exists = (field: string) => ({ [field]: { $exists: true } })

/**
 * Rows. Reads are newest first by (occurredAt, _id), so every index that serves a page ends in both.
 * Those without tenant serve the platform scope. Kinds that are rare have small indexes of their own.
 */
export const ROW_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_time', keys: { tenantId: 1, occurredAt: -1, _id: -1 } },
  { name: 'time', keys: { occurredAt: -1, _id: -1 } },
  { name: 'tenant_name_time', keys: { tenantId: 1, name: 1, occurredAt: -1, _id: -1 } },
  { name: 'name_time', keys: { name: 1, occurredAt: -1, _id: -1 } },
  {
    name: 'tenant_kind_time',
    keys: { tenantId: 1, rareKind: 1, occurredAt: -1, _id: -1 },
    partial: exists('rareKind')
  },
  {
    name: 'kind_time',
    keys: { rareKind: 1, occurredAt: -1, _id: -1 },
    partial: exists('rareKind')
  },
  {
    name: 'tenant_subject_time',
    keys: { tenantId: 1, subjectKeys: 1, occurredAt: -1, _id: -1 },
    partial: exists('subjectKeys')
  },
  {
    name: 'subject_time',
    keys: { subjectKeys: 1, occurredAt: -1, _id: -1 },
    partial: exists('subjectKeys')
  },
  { name: 'trace', keys: { traceId: 1, occurredAt: 1, _id: 1 }, partial: exists('traceId') },
  {
    name: 'fingerprint',
    keys: { 'error.fingerprint': 1, occurredAt: -1, _id: -1 },
    partial: exists('error.fingerprint')
  },
  {
    name: 'principals',
    keys: { tenantId: 1, otherPrincipals: 1 },
    partial: exists('otherPrincipals')
  },
  {
    name: 'dedupe',
    keys: { tenantId: 1, dedupeKey: 1 },
    unique: true,
    partial: exists('dedupeKey')
  },
  {
    name: 'idempotency',
    keys: { tenantId: 1, 'usage.idempotencyKey': 1 },
    unique: true,
    partial: exists('usage.idempotencyKey')
  },
  { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 0, partial: exists('expiresAt') }
]

/**
 * Rollups. Documents with a bucket are read by its start, those without by count, first or last time;
 * each by tenant and for the platform. The latter are few: their indexes leave the others out.
 */
export const ROLLUP_INDEXES: readonly IndexDeclaration[] = [
  {
    name: 'tenant_bucket',
    keys: { tenantId: 1, as: 1, bucketAt: 1, _id: 1 },
    partial: exists('bucketAt')
  },
  { name: 'bucket', keys: { as: 1, bucketAt: 1, _id: 1 }, partial: exists('bucketAt') },
  {
    name: 'tenant_first',
    keys: { tenantId: 1, as: 1, firstAt: 1, _id: 1 },
    partial: exists('lifetime')
  },
  { name: 'first', keys: { as: 1, firstAt: 1, _id: 1 }, partial: exists('lifetime') },
  {
    name: 'tenant_last',
    keys: { tenantId: 1, as: 1, lastAt: -1, _id: 1 },
    partial: exists('lifetime')
  },
  { name: 'last', keys: { as: 1, lastAt: -1, _id: 1 }, partial: exists('lifetime') },
  {
    name: 'tenant_count',
    keys: { tenantId: 1, as: 1, count: -1, _id: 1 },
    partial: exists('lifetime')
  },
  { name: 'count', keys: { as: 1, count: -1, _id: 1 }, partial: exists('lifetime') },
  { name: 'tenant_dims', keys: { tenantId: 1, dims: 1, as: 1, bucketAt: 1 } },
  { name: 'dims', keys: { dims: 1, as: 1, bucketAt: 1 } },
  { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 0, partial: exists('expiresAt') }
]

const MONTH_SECONDS = 30 * 24 * 3600

export const REJECT_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_at', keys: { tenantId: 1, at: -1 } },
  { name: 'at', keys: { at: 1 }, ttlSeconds: MONTH_SECONDS },
  {
    name: 'subjects',
    keys: { tenantId: 1, subjectKeys: 1 },
    partial: exists('subjectKeys')
  }
]

export const SEEN_INDEXES: readonly IndexDeclaration[] = [
  { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 0 }
]

export const RATE_INDEXES: readonly IndexDeclaration[] = [
  { name: 'expiry', keys: { expiresAt: 1 }, ttlSeconds: 0 }
]

export const ALIAS_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_user', keys: { tenantId: 1, userRef: 1 } }
]

export const KEY_INDEXES: readonly IndexDeclaration[] = [
  { name: 'owner_created', keys: { owner: 1, createdAt: -1 } },
  { name: 'created', keys: { createdAt: -1 } }
]

export const VIEW_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_shared', keys: { tenantId: 1, shared: 1, createdAt: 1 } },
  { name: 'tenant_owner', keys: { tenantId: 1, ownerRef: 1, createdAt: 1 } }
]

/** Rules are few; `name` also serves what looks through those of one tenant. */
export const ALERT_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_name', keys: { tenantId: 1, name: 1 }, unique: true },
  { name: 'due', keys: { dueAt: 1 }, partial: exists('dueAt') }
]

const YEAR_SECONDS = 365 * 24 * 3600

export const CHANGE_INDEXES: readonly IndexDeclaration[] = [
  { name: 'tenant_at', keys: { tenantId: 1, at: -1 } },
  { name: 'rule_at', keys: { ruleId: 1, at: -1 } },
  { name: 'at', keys: { at: 1 }, ttlSeconds: YEAR_SECONDS },
  { name: 'due', keys: { dueAt: 1 }, partial: exists('dueAt') }
]
