// The routes of the System page: counters, quarantine, index budget, ingest keys.
import { Type, type Viewer } from '@keelson/sdk'
import {
  type CreateKeyOptions,
  countersSchema,
  createdKeySchema,
  createKeySchema,
  INDEX_BUDGET,
  KINDS,
  keyRowSchema,
  PLATFORM_SCOPE,
  quarantineRowSchema,
  type StorageUse,
  storageUseSchema
} from '@keelson/telemetry'
import { type ApiRequest, defineRoute, FORBIDDEN, get, ok } from './route.ts'

/** Rows of quarantine in one answer. */
const QUARANTINE_ROWS = 50

const NO_USE: StorageUse = { collections: [], kinds: [] }

/** What is read, or the substitute when it cannot be: the page is for when something is wrong. */
async function orElse<T>(read: Promise<T>, substitute: T, log: ApiRequest['log']): Promise<T> {
  try {
    return await read
  } catch (error) {
    log.warn({ err: error }, 'a part of the system page could not be read')
    return substitute
  }
}

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
    role: Type.String()
  }),
  async answer({ viewer, log }, { telemetry }) {
    const isAdmin = viewer.role === 'admin'
    const [quarantine, indexCount, keys, storage] = await Promise.all([
      orElse(telemetry.quarantine(viewer.tenantId, QUARANTINE_ROWS), [], log),
      orElse(telemetry.indexCount(), 0, log),
      isAdmin ? telemetry.listKeys(viewer.tenantId) : [],
      orElse(telemetry.storageUse(viewer.tenantId), NO_USE, log)
    ])
    const isPlatform = isAdmin && viewer.tenantId === PLATFORM_SCOPE
    return ok({
      counters: telemetry.counters,
      quarantine,
      indexCount,
      indexBudget: INDEX_BUDGET,
      keys,
      storage: isPlatform ? storage : { ...storage, collections: [] },
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

export const systemRoutes = [system, mint, revoke]
