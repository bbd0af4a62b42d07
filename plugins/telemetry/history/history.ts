// History in columns of one telemetry instance: what seals, what reads, what brings rows back.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientSession, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import type { TelemetryLogger } from '../logger.ts'
import type { RowSource } from '../queries/row-source.ts'
import type { TimeRange } from '../queries/types.ts'
import type { Envelope } from '../schemas/envelope.ts'
import type { HistoryUse } from '../schemas/system.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { hashOf, SegmentCache } from './cache.ts'
import { type DuckDBSource, installedDuckDB } from './duckdb.ts'
import { createEngine, type Engine } from './engine.ts'
import { type ApplyIndexes, createFewIndexes, type FewIndexes } from './few-indexes.ts'
import { historyRows } from './history-rows.ts'
import { HotMirror } from './hot-mirror.ts'
import { parquetFile } from './parquet-file.ts'
import { planMerges } from './plan-segments.ts'
import { rangeOf } from './read-view.ts'
import { type Revision, reviseRows } from './revise.ts'
import { countSealed, dropExpired, mergeSmall, returnRows } from './rewrite.ts'
import { type SealContext, type Sealed, sealSlice } from './seal.ts'
import { sealedBefore } from './seal-age.ts'
import { readSealed } from './sealed-rows.ts'
import { createSegmentIndex, type SegmentIndex } from './segment-index.ts'
import { readBytes, type SegmentEntry } from './segment-store.ts'

export interface HistoryOptions {
  /** Whether older rows are sealed. Segments that are there are read in any case. Default true. */
  readonly enabled?: boolean
  /** Age of rows that are sealed: less, down to one hour, while more than half of `mirrorRows` are left. Default 24. */
  readonly sealAfterHours?: number
  /** Where files of segments are kept on this machine. Default: a folder of the system's temporary ones. */
  readonly cacheDir?: string
  /** Most megabytes of these files. Default 1,024. */
  readonly cacheMb?: number
  /** Most megabytes of memory of DuckDB. Default 256. */
  readonly memoryMb?: number
  /** Threads of DuckDB. Default 2. */
  readonly threads?: number
  /** Most records that are not sealed and are mirrored in this memory; 0 for none. Default 200,000. */
  readonly mirrorRows?: number
}

export interface SealOptions {
  /** Rows before this time. Default: those that are as old as the config says. */
  readonly before?: Date
  /** Of this tenant alone. */
  readonly tenantId?: string
  readonly signal?: AbortSignal
}

export interface History {
  /** Whether rows are sealed, or may have been: a repeat of one must be looked for. */
  readonly isSealing: boolean
  readonly rows: RowSource
  /** As `rows`; a signal ends its reads. */
  rowsFor(signal: AbortSignal | undefined): RowSource
  /** Decides whether rows have all indexes, or the few that remain where columns serve the reads. */
  chooseIndexes(apply: ApplyIndexes): Promise<void>
  /** Learns whether anything is sealed, and says so when nothing can be. */
  look(): Promise<void>
  /** Seals, merges and drops what has expired. @throws TEL_HISTORY_ENGINE */
  seal(options?: SealOptions): Promise<Sealed>
  /** As `seal` when it is on, can be, and something is due: DuckDB is not loaded for nothing. */
  sealWhenOn(signal: AbortSignal): Promise<void>
  /** Sealed rows of a snapshot that fit a filter. @throws TEL_HISTORY_ENGINE */
  sealedRows(filter: Document, session: ClientSession): AsyncIterable<StoredRow>
  /** Makes sealed rows that change documents. Returns how many were looked at. @throws TEL_HISTORY_ENGINE */
  reviseRows(revision: Revision): Promise<number>
  /** Makes the rows of people documents again. @throws TEL_HISTORY_ENGINE */
  returnRows(tenantId: string, refs: readonly string[]): Promise<number>
  countSealed(tenantId: string, refs: readonly string[]): Promise<number>
  use(): Promise<HistoryUse>
  /** The path of a Parquet file of records; undefined where DuckDB is not installed. */
  parquetFile(batches: AsyncIterable<readonly Envelope[]>): Promise<string | undefined>
  /** Times whose bytes were missing or damaged when they were last looked at. */
  damage(): readonly TimeRange[]
  /** What is wrong with the cache, and what to do; undefined when all is well. */
  cacheProblem(): string | undefined
  /** Looks at the bytes of the next few segments. */
  verifySome(count: number): Promise<void>
  close(): Promise<void>
}

interface HistoryHost {
  readonly storage: TelemetryStorage
  readonly now: () => Date
  readonly logger: TelemetryLogger
  /** Default: the package that is installed. */
  readonly duckdb?: DuckDBSource | undefined
}

const MEGABYTE = 1024 * 1024
const MIRROR_ROWS = 200_000

/** What all of it works with. */
interface Parts {
  readonly storage: TelemetryStorage
  readonly cache: SegmentCache
  readonly index: SegmentIndex
  readonly mirror: HotMirror
  readonly indexes: FewIndexes
  readonly engine: () => Promise<Engine | undefined>
  /** Times of segments whose bytes were missing or damaged, by id. */
  readonly damaged: Map<string, TimeRange>
  /** The segment that was verified last. */
  verified: string
  /** Whether DuckDB is there; it is not loaded to say so. */
  readonly hasEngine: () => boolean
  /** @throws TEL_HISTORY_ENGINE */
  readonly contextFor: (act: string) => Promise<SealContext>
  readonly close: () => Promise<void>
}

function openParts(
  options: HistoryOptions,
  { storage, now, logger, duckdb = installedDuckDB }: HistoryHost
): Parts {
  const { cacheMb = 1024, memoryMb = 256, threads = 2, mirrorRows = MIRROR_ROWS } = options
  const { enabled = true } = options
  const folders = foldersOf(storage, options.cacheDir)
  const cache = new SegmentCache({ folders, maxBytes: cacheMb * MEGABYTE })
  const mirror = new HotMirror(storage.collections.rows, { maxRows: mirrorRows, logger })
  const isInstalled = duckdb.isInstalled()
  const idle = duckdb.idleMs === undefined ? {} : { idleMs: duckdb.idleMs }
  let opened: Promise<Engine | undefined> | undefined
  const onIdle = () => {
    mirror.release().then(async () => (await opened)?.rest())
  }
  const engine = (): Promise<Engine | undefined> => {
    opened ??= (isInstalled ? duckdb.load() : Promise.resolve(undefined)).then(
      (module) => module && createEngine(module, { folders, memoryMb, threads, onIdle, ...idle })
    )
    return opened
  }
  return {
    storage,
    cache,
    mirror,
    index: createSegmentIndex(storage, cache),
    indexes: createFewIndexes({
      isSealing: enabled && isInstalled,
      mirrorRows,
      count: () => storage.collections.rows.estimatedDocumentCount(),
      logger
    }),
    engine,
    damaged: new Map(),
    verified: '',
    hasEngine: () => isInstalled,
    async contextFor(act) {
      const found = await engine()
      if (found === undefined) throw errors.TEL_HISTORY_ENGINE({ act })
      return { storage, tools: { engine: found, cache, now } }
    },
    async close() {
      await mirror.close()
      ;(await opened)?.close()
    }
  }
}

export function createHistory(options: HistoryOptions, host: HistoryHost): History {
  const { enabled = true, sealAfterHours = 24, mirrorRows = MIRROR_ROWS } = options
  const { storage, now, logger } = host
  const parts = openParts(options, host)
  const { index, engine, contextFor, hasEngine } = parts
  const isEmpty = async () => (await index.read()).segments.length === 0
  const oldEnough = () =>
    sealedBefore(storage.collections.rows, { sealAfterHours, mirrorRows, now: now() })
  const history: History = {
    get isSealing() {
      return enabled || index.isUsed
    },
    chooseIndexes: (apply) => parts.indexes.choose(apply),
    async look() {
      await index.read()
      if (enabled && !hasEngine()) logger.warn({}, NOT_SEALED)
    },
    rows: historyRows({ ...parts, now }, undefined),
    rowsFor: (signal) => historyRows({ ...parts, now }, signal),
    async seal(asked = {}) {
      const context = await contextFor('made')
      return sealAll(context, { ...asked, before: asked.before ?? (await oldEnough()) })
    },
    async sealWhenOn(signal) {
      if (!enabled) return
      await history.verifySome(VERIFIED)
      if (!hasEngine()) return
      const before = await oldEnough()
      if (await isDue(parts, { before, now: now() })) {
        await history.seal({ before, signal })
        // Unless a read uses it: most processes seal now and then, and some read never.
        ;(await engine())?.rest()
      }
    },
    sealedRows: (filter, session) => readSealed({ storage, context: contextFor }, filter, session),
    reviseRows: async (revision) =>
      (await isEmpty()) ? 0 : reviseRows(await contextFor('changed'), revision),
    returnRows: async (tenantId, refs) =>
      (await isEmpty()) ? 0 : returnRows(await contextFor('erased'), tenantId, refs),
    countSealed: async (tenantId, refs) =>
      (await isEmpty()) ? 0 : countSealed(await contextFor('counted'), tenantId, refs),
    use: () => readUse(parts, enabled),
    async parquetFile(batches) {
      const found = await engine()
      return found === undefined
        ? undefined
        : parquetFile({ engine: found, cache: parts.cache }, batches)
    },
    damage: () => [...parts.damaged.values()],
    cacheProblem: () => parts.cache.problem,
    verifySome: (count) => verifySome(parts, count),
    close: parts.close
  }
  return history
}

const NOT_SEALED =
  'Records are not sealed, because @duckdb/node-api is not installed; reads are of documents, which have all indexes.'

/** Whether there is something to seal, to merge or to drop. */
async function isDue(
  { storage, index }: Parts,
  { before, now }: { readonly before: Date; readonly now: Date }
): Promise<boolean> {
  const { segments } = await index.read()
  const hasExpired = segments.some(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
  if (hasExpired || planMerges(segments).length > 0) return true
  const { rows } = storage.collections
  const old = await rows.findOne({ occurredAt: { $lt: before } }, { projection: { _id: 1 } })
  return old !== null
}

async function readUse(
  { storage, cache, index, hasEngine, mirror, damaged }: Parts,
  isOn: boolean
): Promise<HistoryUse> {
  const { segments } = await index.read()
  const sum = (read: (one: SegmentEntry) => number) =>
    segments.reduce((total, one) => total + read(one), 0)
  const sealedAt = segments.map((one) => one.sealedAt.getTime())
  const isReadable = (isOn || index.isUsed) && hasEngine()
  return {
    state: isOn ? (isReadable ? 'on' : 'unavailable') : 'off',
    hotRows: await storage.collections.rows.estimatedDocumentCount(),
    mirroredRows: mirror.rows,
    sealedRows: sum(({ rows }) => rows),
    segments: segments.length,
    bytes: sum(({ bytes }) => bytes),
    cacheBytes: cache.bytes,
    engine: isReadable ? 'duckdb' : 'none',
    lastSealedAt: sealedAt.length === 0 ? null : new Date(Math.max(...sealedAt)),
    damaged: [...damaged.values()]
  }
}

/** Segments that one run of the job looks at. */
const VERIFIED = 5

async function verifySome(parts: Parts, count: number): Promise<void> {
  const { storage, index, damaged } = parts
  const { segments } = await index.read()
  const known = new Set(segments.map(({ _id }) => _id))
  for (const id of damaged.keys()) if (!known.has(id)) damaged.delete(id)
  const inOrder = [...segments].sort((a, b) => (a._id < b._id ? -1 : 1))
  const later = inOrder.filter(({ _id }) => _id > parts.verified)
  for (const segment of (later.length > 0 ? later : inOrder).slice(0, count)) {
    const bytes = await readBytes(storage, segment)
    parts.verified = segment._id
    if (bytes !== undefined && hashOf(bytes) === segment._id) damaged.delete(segment._id)
    else damaged.set(segment._id, rangeOf(segment))
  }
}

/** That of the config, and one in the system's temporary folder for when it cannot be written. */
function foldersOf(storage: TelemetryStorage, cacheDir: string | undefined): readonly string[] {
  const name = createHash('sha256')
    .update(storage.collections.rows.namespace)
    .digest('hex')
    .slice(0, 16)
  const temporary = join(tmpdir(), `keelson-telemetry-${process.getuid?.() ?? 'user'}`, name)
  return cacheDir === undefined ? [temporary] : [cacheDir, temporary]
}

async function sealAll(
  context: SealContext,
  { before, tenantId, signal }: SealOptions & { readonly before: Date }
): Promise<Sealed> {
  const total = { segments: 0, rows: 0, bytes: 0 }
  const isEnded = () => signal?.aborted === true
  let tenant = tenantId ?? (await nextTenant(context.storage, ''))
  while (tenant !== undefined && !isEnded()) {
    for (;;) {
      const sealed = isEnded() ? undefined : await sealSlice(context, tenant, before)
      if (sealed === undefined) break
      total.segments += sealed.segments
      total.rows += sealed.rows
      total.bytes += sealed.bytes
    }
    tenant = tenantId === undefined ? await nextTenant(context.storage, tenant) : undefined
  }
  await mergeSmall(context, signal)
  await dropExpired(context)
  return total
}

async function nextTenant(
  { collections: { rows } }: TelemetryStorage,
  after: string
): Promise<string | undefined> {
  const found = await rows.findOne(
    { tenantId: { $gt: after } },
    { sort: { tenantId: 1, occurredAt: -1, _id: -1 }, projection: { tenantId: 1 } }
  )
  return found?.tenantId
}
