// The System page: counters, quarantine, index budget, ingest keys, erasures.
import { type Call, type Operation, operation, Type, type Viewer } from '@keelson/sdk'
import {
  backfillStateSchema,
  type CreateKeyOptions,
  countersSchema,
  createdKeySchema,
  createKeySchema,
  erasureSchema,
  historyUseSchema,
  INDEX_BUDGET,
  KINDS,
  keyRowSchema,
  PLATFORM_SCOPE,
  quarantineRowSchema,
  type StorageUse,
  storageUseSchema
} from '@keelson/telemetry'
import { invalid } from '../refusals.ts'
import { access, changing, type DashboardHost, reading, viewerOf } from './dashboard-operation.ts'

/** Rows of quarantine in one answer. */
const QUARANTINE_ROWS = 50

const NO_USE: StorageUse = { collections: [], kinds: [] }

/** Parts that the answer does without when they cannot be read: the page is for when something is wrong. */
const PARTS = ['quarantine', 'indexes', 'storage', 'history', 'erasures', 'backfills'] as const
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

/** What an erasure did. */
export const receiptAnswer = Type.Object(
  {
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
  },
  { title: 'ErasureReceipt' }
)

/** The answer of `GET /api/system`. */
export const systemAnswer = Type.Object(
  {
    counters: countersSchema,
    quarantine: Type.Array(quarantineRowSchema, { description: 'Newest first.' }),
    indexCount: Type.Integer({ description: 'Live indexes of the records.' }),
    indexBudget: Type.Integer(),
    keys: Type.Array(keyRowSchema, { description: 'For admins; empty for others.' }),
    storage: Type.Object(storageUseSchema.properties, {
      description: 'Collections for admins of the platform; empty for others.'
    }),
    history: Type.Union([historyUseSchema, Type.Null()], {
      description: 'Records in columns, for admins of the platform.'
    }),
    erasures: Type.Array(erasureSchema, { description: 'The newest, for admins.' }),
    backfills: Type.Array(backfillStateSchema, { description: 'For admins of the platform.' }),
    unread: Type.Array(Type.Enum([...PARTS]), {
      description: 'Parts that could not be read: they are empty, or 0, whatever is stored.'
    }),
    role: Type.String()
  },
  { title: 'TelemetrySystem' }
)

const system = operation({
  ...reading,
  id: 'telemetry-dashboard.system.read',
  path: '/api/system',
  summary: 'Counters, quarantine, index budget, ingest keys and storage',
  answer: systemAnswer,
  async run(_input, { host: { telemetry }, actor, log }: Call<DashboardHost>) {
    const { tenantId, role } = viewerOf(actor)
    const isAdmin = role === 'admin'
    const isPlatform = isAdmin && tenantId === PLATFORM_SCOPE
    const unread: Part[] = []
    const orElse = <T>(part: Part, read: Promise<T> | T, substitute: T): Promise<T> =>
      Promise.resolve(read).catch((error: unknown) => {
        log.warn({ err: error }, `${part} of the system page could not be read`)
        unread.push(part)
        return substitute
      })
    const [quarantine, indexCount, keys, storage, history, erasures, backfills] = await Promise.all(
      [
        orElse('quarantine', telemetry.quarantine(tenantId, QUARANTINE_ROWS), []),
        orElse('indexes', telemetry.indexCount(), 0),
        isAdmin ? telemetry.listKeys(tenantId) : [],
        orElse('storage', telemetry.storageUse(tenantId), NO_USE),
        orElse('history', isPlatform ? telemetry.historyUse() : null, null),
        orElse('erasures', isAdmin ? telemetry.erasures(tenantId) : [], []),
        orElse('backfills', isPlatform ? telemetry.backfills() : [], [])
      ]
    )
    return {
      counters: telemetry.counters,
      quarantine,
      indexCount,
      indexBudget: INDEX_BUDGET,
      keys,
      storage: isPlatform ? storage : { ...storage, collections: [] },
      history,
      erasures,
      backfills,
      unread,
      role
    }
  }
})

const forbidden = { ok: false, code: 'forbidden' } as const

const mint = operation({
  ...changing,
  id: 'telemetry-dashboard.keys.create',
  method: 'POST',
  path: '/api/system/keys',
  summary: 'Mint an ingest key; it is shown this once',
  access: access.session,
  effect: 'change',
  body: createKeySchema,
  status: 201,
  answer: createdKeySchema,
  async run({ body }, { host: { telemetry }, actor }: Call<DashboardHost>) {
    const options = keyOptionsOf(body)
    return mayMint(viewerOf(actor), options) ? telemetry.createKey(options) : forbidden
  }
})

const revoke = operation({
  ...changing,
  id: 'telemetry-dashboard.keys.revoke',
  method: 'POST',
  path: '/api/system/keys/:id/revoke',
  summary: 'Revoke an ingest key',
  access: access.session,
  effect: 'stop',
  hints: { idempotent: true },
  params: Type.Object({ id: Type.String() }),
  answer: Type.Object({ revoked: Type.Integer({ description: '1 or 0.' }) }),
  run: ({ params: { id } }, { host: { telemetry }, actor }: Call<DashboardHost>) =>
    telemetry.revokeKey(id, actor.tenantId)
})

const erase = operation({
  ...changing,
  id: 'telemetry-dashboard.subjects.erase',
  method: 'POST',
  path: '/api/system/erasures',
  summary: 'Erase a person of a tenant; the erasure is logged',
  access: access.session,
  effect: 'change',
  hints: { destructive: true },
  body: Type.Object({
    tenantId: Type.Optional(short('Default: that of the viewer.')),
    subject: short('`<type>:<id>`'),
    confirm: short('The subject again, as the person who erases has typed it.')
  }),
  answer: receiptAnswer,
  async run({ body }, { host: { telemetry }, actor }: Call<DashboardHost>) {
    const { tenantId: byTenant, viewerRef: by } = viewerOf(actor)
    const { tenantId = byTenant, subject, confirm } = body
    if (byTenant !== PLATFORM_SCOPE && tenantId !== byTenant) return forbidden
    if (confirm !== subject) return invalid('confirm must be the same as subject')
    const order = { byTenant, ...(by !== undefined && { by }) }
    // What names the person stays inside.
    const { proof, linked, ...receipt } = await telemetry.forget(tenantId, subject, order)
    return receipt
  }
})

/** The operations of the System page. */
export const systemOperations: readonly Operation<DashboardHost>[] = [system, mint, revoke, erase]
