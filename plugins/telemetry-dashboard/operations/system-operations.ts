// The routes of the System page: counters, quarantine, index budget, ingest keys, erasures.
import { Type, type Viewer } from '@keelson/sdk'
import {
  backfillStateSchema,
  type CreateKeyOptions,
  countersSchema,
  createdKeySchema,
  createKeySchema,
  erasureSchema,
  INDEX_BUDGET,
  KINDS,
  keyRowSchema,
  PLATFORM_SCOPE,
  quarantineRowSchema,
  type StorageUse,
  storageUseSchema
} from '@keelson/telemetry'
import { badRequest, defineRoute, FORBIDDEN, get, ok } from './route.ts'

/** Rows of quarantine in one answer. */
const QUARANTINE_ROWS = 50

const NO_USE: StorageUse = { collections: [], kinds: [] }

/** Parts that the answer does without when they cannot be read: the page is for when something is wrong. */
const PARTS = ['quarantine', 'indexes', 'storage', 'erasures', 'backfills'] as const
type Part = (typeof PARTS)[number]

/** The options that the schema names; a kind that is named twice counts once. */
function keyOptionsOf(body: CreateKeyOptions): CreateKeyOptions {
  const named = Object.keys(createKeySchema.properties)
  const entries = Object.entries(body).filter(([name]) => named.includes(name))
  const { allowedKinds } = body
  return {
    ...(Object.fromEntries(entries) as unknown as CreateKeyOptions),
    ...(allowedKinds !== undefined && {
      allowedKinds: KINDS.filter((kind) => allowedKinds.includes(kind))
    })
  }
}

/** An admin mints fixed keys of the own tenant; the platform's admin mints any. */
function mayMint(viewer: Viewer, options: CreateKeyOptions): boolean {
  if (viewer.tenantId === PLATFORM_SCOPE) return true
  if (options.tenantMode !== 'fixed') return false
  // Without a tenant, or with the reserved one, the store says what is wrong.
  const tenantId = options.tenantId ?? PLATFORM_SCOPE
  return tenantId === viewer.tenantId || tenantId === PLATFORM_SCOPE
}

const short = (description: string) => Type.String({ minLength: 1, maxLength: 500, description })
const figure = Type.Integer({ minimum: 0 })

const receiptSchema = Type.Object({
  tenantId: Type.String(),
  pseudonym: Type.String({ description: 'Replaces the subject where records had to stay.' }),
  deleted: figure,
  redacted: figure,
  rollups: figure,
  captures: figure,
  aliases: figure,
  views: figure,
  rejects: figure,
  alerts: figure,
  remaining: Type.Record(Type.String(), figure, {
    description: 'By collection: documents that still name the subject.'
  }),
  at: Type.Unsafe<Date>({ type: 'string', format: 'date-time' })
})

const system = get({
  path: '/api/system',
  summary: 'Counters, quarantine, index budget, ingest keys and storage',
  response: Type.Object({
    counters: countersSchema,
    quarantine: Type.Array(quarantineRowSchema, { description: 'Newest first.' }),
    indexCount: Type.Integer({ description: 'Live indexes of the records.' }),
    indexBudget: Type.Integer(),
    keys: Type.Array(keyRowSchema, { description: 'For admins; empty for others.' }),
    storage: Type.Object(storageUseSchema.properties, {
      description: 'Collections for admins of the platform; empty for others.'
    }),
    erasures: Type.Array(erasureSchema, { description: 'The newest, for admins.' }),
    backfills: Type.Array(backfillStateSchema, { description: 'For admins of the platform.' }),
    unread: Type.Array(Type.Enum([...PARTS]), {
      description: 'Parts that could not be read: they are empty, or 0, whatever is stored.'
    }),
    role: Type.String()
  }),
  async answer({ viewer, log }, { telemetry }) {
    const isAdmin = viewer.role === 'admin'
    const isPlatform = isAdmin && viewer.tenantId === PLATFORM_SCOPE
    const unread: Part[] = []
    const orElse = <T>(part: Part, read: Promise<T> | T, substitute: T): Promise<T> =>
      Promise.resolve(read).catch((error: unknown) => {
        log.warn({ err: error }, `${part} of the system page could not be read`)
        unread.push(part)
        return substitute
      })
    const [quarantine, indexCount, keys, storage, erasures, backfills] = await Promise.all([
      orElse('quarantine', telemetry.quarantine(viewer.tenantId, QUARANTINE_ROWS), []),
      orElse('indexes', telemetry.indexCount(), 0),
      isAdmin ? telemetry.listKeys(viewer.tenantId) : [],
      orElse('storage', telemetry.storageUse(viewer.tenantId), NO_USE),
      orElse('erasures', isAdmin ? telemetry.erasures(viewer.tenantId) : [], []),
      orElse('backfills', isPlatform ? telemetry.backfills() : [], [])
    ])
    return ok({
      counters: telemetry.counters,
      quarantine,
      indexCount,
      indexBudget: INDEX_BUDGET,
      keys,
      storage: isPlatform ? storage : { ...storage, collections: [] },
      erasures,
      backfills,
      unread,
      role: viewer.role
    })
  }
})

const mint = defineRoute({
  method: 'POST',
  path: '/api/system/keys',
  band: 'admin',
  summary: 'Mint an ingest key; it is shown this once',
  body: Type.Object(createKeySchema.properties, { 'x-missing': 'key options required' }),
  status: 201,
  response: createdKeySchema,
  async answer({ viewer, body }, { telemetry }) {
    const options = keyOptionsOf(body)
    if (!mayMint(viewer, options)) return FORBIDDEN
    return { status: 201, body: await telemetry.createKey(options) }
  }
})

const revoke = defineRoute({
  method: 'POST',
  path: '/api/system/keys/:id/revoke',
  band: 'admin',
  summary: 'Revoke an ingest key',
  response: Type.Object({ revoked: Type.Integer({ description: '1 or 0.' }) }),
  answer: async ({ viewer, subject }, { telemetry }) =>
    ok(await telemetry.revokeKey(subject, viewer.tenantId))
})

const erase = defineRoute({
  method: 'POST',
  path: '/api/system/erasures',
  band: 'admin',
  summary: 'Erase a person of a tenant; the erasure is logged',
  body: Type.Object({
    tenantId: Type.Optional(short('Default: that of the viewer.')),
    subject: short('`<type>:<id>`'),
    confirm: short('The subject again, as the person who erases has typed it.')
  }),
  response: receiptSchema,
  async answer({ viewer, body }, { telemetry }) {
    const { tenantId = viewer.tenantId, subject, confirm } = body
    if (viewer.tenantId !== PLATFORM_SCOPE && tenantId !== viewer.tenantId) return FORBIDDEN
    if (confirm !== subject) return badRequest('confirm must be the same as subject')
    const { viewerRef: by, tenantId: byTenant } = viewer
    const {
      proof: _names,
      linked: _refs,
      ...receipt
    } = await telemetry.forget(tenantId, subject, {
      byTenant,
      ...(by !== undefined && { by })
    })
    return ok(receipt)
  }
})

export const systemRoutes = [system, mint, revoke, erase]
