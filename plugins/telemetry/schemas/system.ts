// The answers about the store itself: registry, counters, refused writes, keys.
import { Type } from '@keelson/sdk'
import { BUCKETS, KINDS, ORIGINS } from '../contracts/telemetry-registry.ts'
import {
  type Answer,
  count,
  date,
  dateOrNull,
  oneOf,
  openObject,
  text,
  textOrNull,
  texts
} from './parts.ts'

const rollupEntrySchema = Type.Object({
  as: text(),
  by: texts(),
  bucket: Type.Unsafe<(typeof BUCKETS)[number] | null>({
    type: ['string', 'null'],
    description: `${BUCKETS.join(', ')}; null on lifetime families.`
  }),
  sum: texts(),
  subjects: texts(),
  label: text("A short human name; the family's name when none is declared."),
  labels: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The label in other languages, by language.'
    })
  ),
  capture: Type.Optional(
    texts('What the first record of each document had: `attr:<key>`, `field:<path>`.')
  )
})
export type RollupEntry = Answer<typeof rollupEntrySchema>

export const registryEntrySchema = Type.Object(
  {
    kind: oneOf(KINDS),
    origin: oneOf(ORIGINS),
    subjects: texts(),
    description: text(),
    attrKeys: texts(),
    metricKeys: texts(),
    indexedAttrs: texts(),
    indexedMetrics: texts(),
    rollups: Type.Array(rollupEntrySchema)
  },
  { title: 'RegisteredEvent' }
)
/** An event as the API shows it: names and shapes only. */
export type RegistryEntry = Answer<typeof registryEntrySchema>

export const countersSchema = Type.Object({
  rejected: count('Refused and quarantined writes.'),
  sampled: count('Rows not stored because of a sample rate.'),
  capped: count("Rows not stored because of a burst cap, and records over a key's rate."),
  deduped: count('Repeats that wrote nothing.'),
  truncated: count('Values that were clipped.'),
  defaulted: count('Missing service or release filled, impossible times replaced.'),
  rollupSkipped: count('Records a rollup could not place.')
})
/** Totals of this process since it started. */
export type Counters = Answer<typeof countersSchema>

export const quarantineRowSchema = Type.Object({
  at: date(),
  name: text(),
  reason: text(),
  raw: openObject('What was sent; a clipped one has `clipped` with its beginning as text.'),
  tenantId: textOrNull()
})
/** A write that was refused. */
export type QuarantineRow = Answer<typeof quarantineRowSchema>

export const KEY_KINDS = ['publishable', 'secret'] as const
/** Publishable keys ride in browsers; secret keys stay on servers. */
export type KeyKind = (typeof KEY_KINDS)[number]

export const TENANT_MODES = ['fixed', 'session', 'claimed'] as const
/** Whose rows a key writes: its own tenant, the tenant of the caller's session, or the one the batch names. */
export type TenantMode = (typeof TENANT_MODES)[number]

const short = (description: string) => Type.String({ maxLength: 200, description })
const shortTexts = (description: string) =>
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description })

export const createKeySchema = Type.Object(
  {
    label: Type.Optional(short('a–z and 0–9. Default `live`.')),
    kind: oneOf(KEY_KINDS),
    tenantMode: oneOf(TENANT_MODES),
    tenantId: Type.Optional(short('Required for fixed, refused otherwise.')),
    service: Type.String({ minLength: 1, maxLength: 200 }),
    env: Type.String({ minLength: 1, maxLength: 200 }),
    origins: Type.Optional(
      shortTexts(
        'Browser origins a publishable key is taken from. Empty: any caller that sends no Origin.'
      )
    ),
    allowedKinds: Type.Optional(
      Type.Array(oneOf(KINDS), {
        maxItems: 100,
        description: 'Default: event, error, span for publishable; all five for secret.'
      })
    ),
    allowedNames: Type.Optional(shortTexts('Default: every name.')),
    maxPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Records a minute. Default 600,000 for a secret key, 600 for a publishable one; at most 100,000,000.'
      })
    )
  },
  { title: 'NewIngestKey' }
)
export type CreateKeyOptions = Answer<typeof createKeySchema>

export const createdKeySchema = Type.Object(
  {
    id: text(),
    key: text('The whole key. It is shown this once and cannot be read again.')
  },
  { title: 'CreatedIngestKey' }
)
export type CreatedKey = Answer<typeof createdKeySchema>

export const keyRowSchema = Type.Object(
  {
    id: text(),
    kind: oneOf(KEY_KINDS),
    tenantMode: oneOf(TENANT_MODES),
    tenantId: textOrNull(),
    service: text(),
    env: text(),
    label: text(),
    origins: texts(),
    allowedKinds: Type.Array(oneOf(KINDS)),
    allowedNames: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' }
    }),
    maxPerMinute: count(),
    createdAt: date(),
    lastUsedAt: dateOrNull(),
    overRate: Type.Optional(
      Type.Object(
        { count: count(), at: date() },
        { description: 'Records over its rate that were refused, counted once a minute.' }
      )
    ),
    revokedAt: dateOrNull()
  },
  { title: 'IngestKey' }
)
/** A key as it is listed; never its secret. */
export type KeyRow = Answer<typeof keyRowSchema>

export const storageUseSchema = Type.Object({
  collections: Type.Array(
    Type.Object({
      name: text(),
      documents: count(),
      bytes: count('Of the documents, uncompressed.'),
      storedBytes: count('On disk, without indexes.'),
      indexBytes: count(),
      indexes: count()
    }),
    { description: 'Of the whole platform, all tenants together.' }
  ),
  kinds: Type.Array(
    Type.Object({
      kind: oneOf(KINDS),
      records: count('Of the last 30 days, in the scope.'),
      lastAt: dateOrNull(),
      retentionDays: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'Days rows are kept, for names that do not say themselves; null is for ever.'
      })
    })
  )
})
/** How much is stored, and for how long. */
export type StorageUse = Answer<typeof storageUseSchema>

export const erasureSchema = Type.Object({
  id: text(),
  at: date(),
  tenantId: text(),
  pseudonym: text('Of the erased subject, which is not stored.'),
  by: textOrNull('The viewer or program that ordered it.'),
  did: Type.Union(
    [
      Type.Object({
        deleted: count('Records.'),
        redacted: count('Records that stay, without the subject.'),
        rollups: count(),
        left: count('Documents that still name the subject.')
      }),
      Type.Null()
    ],
    { description: 'Null while it runs, or when its process was killed.' }
  )
})
/** An entry of the log of erasures. */
export type Erasure = Answer<typeof erasureSchema>

export const backfillStateSchema = Type.Object({
  family: text(),
  position: text('The time, or the tenant, up to which it is recounted.'),
  at: date()
})
/** A rollup family that is being recounted. */
export type BackfillState = Answer<typeof backfillStateSchema>

export const historyUseSchema = Type.Object({
  state: Type.Enum(['on', 'off', 'unavailable'], {
    description: 'Whether older records are sealed; unavailable where DuckDB is not installed.'
  }),
  hotRows: count('Records that are documents, of all tenants.'),
  mirroredRows: count('Of these, held in the memory of this process for reads.'),
  sealedRows: count('Records in segments.'),
  segments: count(),
  bytes: count('Of all segments.'),
  cacheBytes: count('Of their files on this machine.'),
  engine: Type.Enum(['duckdb', 'none'], { description: 'What reads segments here.' }),
  lastSealedAt: dateOrNull(),
  damaged: Type.Array(Type.Object({ from: date(), to: date() }), {
    description: 'Times whose bytes were missing or damaged when they were last looked at.'
  })
})
/** How much is sealed, and what reads it. */
export type HistoryUse = Answer<typeof historyUseSchema>
