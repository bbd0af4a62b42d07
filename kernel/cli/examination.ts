// What keelson doctor looks at: each part by itself, so that a failed one hides no other.
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { KeelsonError } from '@keelson/sdk'
import type { Db, Document } from 'mongodb'
import { below, kernelAddresses } from '../platform/kernel-addresses.ts'
import { type DriftReport, readDrift } from '../storage/drift.ts'
import { type PlanStep, planStorage } from '../storage/plan.ts'
import { systemClock } from '../system-clock.ts'
import { type FilePages, filePagesFindings, readFilePages } from './file-pages.ts'
import {
  declaredPlugins,
  type FoundPlatform,
  type PlatformContext,
  withStorage
} from './platform.ts'
import { findPlatformInForce } from './platform-in-force.ts'

export interface Finding {
  readonly area: 'environment' | 'config' | 'database' | 'storage' | 'queues' | 'plugins'
  readonly level: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly remedy?: string
}

export interface Examination {
  readonly findings: readonly Finding[]
  readonly environment: {
    readonly node: string
    readonly platform: string
    readonly memory: number
  }
  readonly config?: { readonly file: string; readonly plugins: readonly string[] }
  readonly database?: {
    readonly description: string
    readonly version: string
    readonly kind: string
    readonly pingMs: number
    /** Of the built-in engine's data file. */
    readonly file?: FilePages
  }
  readonly pending?: readonly PlanStep[]
  readonly drift?: DriftReport
  /** Of the host at HOST and PORT, when it answers. */
  readonly plugins?: readonly PluginHealth[]
}

interface PluginHealth {
  readonly id: string
  readonly state: string
  readonly reason?: string
  readonly remedy?: string
}

type Context = PlatformContext

const MIN_NODE: readonly [number, number] = [20, 19]
const MIN_DISK_BYTES = 1024 ** 3
const UNUSED_AFTER_MS = 7 * 86_400_000
const BEHIND_MS = 5 * 60_000

/**
 * Looks, and changes nothing. Never throws for what it finds. `prefix`: what a running host has its addresses
 * below, which the config cannot say.
 */
export async function examine(context: Context, prefix = ''): Promise<Examination> {
  const { node } = process.versions
  const environment = { node, platform: process.platform, memory: totalmem() }
  const findings: Finding[] = [nodeFinding(node)]
  let platform: FoundPlatform
  try {
    platform = await findPlatformInForce(context)
  } catch (error) {
    return { environment, findings: [...findings, failure('config', error)] }
  }
  const config = {
    file: platform.read.source,
    plugins: platform.plugins.map((plugin) => plugin.id)
  }
  findings.push({ area: 'config', level: 'ok', message: `${config.file} is valid` })
  findings.push(...(await diskFindings(platform)))
  const storage = await examineStorage(platform)
  const address = healthAddress(context, platform, prefix)
  const plugins = await askHost(address)
  return {
    environment,
    config,
    ...storage,
    ...(plugins !== undefined && { plugins }),
    findings: [...findings, ...storage.findings, ...pluginFindings(plugins, address)]
  }
}

function failure(area: Finding['area'], error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error)
  const remedy = KeelsonError.is(error) ? { remedy: error.remedy } : {}
  return { area, level: 'fail', message, ...remedy }
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor] = MIN_NODE
  const isEnough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
  const message = `Node ${version}`
  if (isEnough) return { area: 'environment', level: 'ok', message }
  const remedy = `Install Node ${MIN_NODE.join('.')} or newer.`
  return { area: 'environment', level: 'fail', message: `${message} is too old`, remedy }
}

async function diskFindings({ read }: FoundPlatform): Promise<Finding[]> {
  const folder = resolve(read.baseDir, read.config.storage?.dataDir || '.keelson')
  const disk = await statfs(folder).catch(() => undefined)
  if (disk === undefined) return []
  const free = disk.bavail * disk.bsize
  const message = `${(free / 1024 ** 3).toFixed(1)} GB free in ${folder}`
  if (free >= MIN_DISK_BYTES) return [{ area: 'environment', level: 'ok', message }]
  return [{ area: 'environment', level: 'warn', message, remedy: 'Make room on the disk.' }]
}

type StorageExamination = Pick<Examination, 'findings' | 'database' | 'pending' | 'drift'>

async function examineStorage(platform: FoundPlatform): Promise<StorageExamination> {
  try {
    return await withStorage(platform, async ({ db, description }) => {
      const database = await readDatabase(db, description)
      const plugins = declaredPlugins(platform.plugins)
      const manifests = plugins.map((plugin) => plugin.manifest)
      const drift = await readDrift(db, manifests)
      const { steps } = await planStorage(db, plugins)
      const queues = manifests.flatMap((manifest) => manifest.queues ?? [])
      const behind = await Promise.all(queues.map((queue) => queueFinding(db, queue.collection)))
      const findings = [
        databaseFinding(database),
        ...filePagesFindings(database.file),
        ...pendingFindings(steps),
        ...driftFindings(drift, platform),
        ...behind.flat()
      ]
      return { database, drift, pending: steps, findings }
    })
  } catch (error) {
    return { findings: [failure('database', error)] }
  }
}

async function readDatabase(db: Db, description: string) {
  const startedAt = performance.now()
  const hello = await db.admin().command({ hello: 1 })
  const pingMs = Math.round((performance.now() - startedAt) * 10) / 10
  const { version, modules } = await db.admin().command({ buildInfo: 1 })
  const file = await readFilePages(db, modules)
  return {
    description,
    version: String(version),
    kind: kindOf(hello),
    pingMs,
    ...(file !== undefined && { file })
  }
}

function kindOf(hello: Document): string {
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster'
  return hello['setName'] === undefined ? 'standalone' : 'replica set'
}

function databaseFinding(database: NonNullable<Examination['database']>): Finding {
  const { description, version, kind, pingMs } = database
  const message = `${description} (${kind}, ${version}) answers in ${pingMs} ms`
  if (kind !== 'standalone') return { area: 'database', level: 'ok', message }
  const remedy = 'Run MongoDB as a replica set: transactions need one, even of one member.'
  return { area: 'database', level: 'fail', message, remedy }
}

function pendingFindings(steps: readonly PlanStep[]): Finding[] {
  if (steps.length === 0) {
    return [{ area: 'storage', level: 'ok', message: 'collections and indexes are as declared' }]
  }
  const message = `${steps.length} steps are pending`
  const remedy = 'Run keelson plan to see them, keelson apply to do them.'
  return [{ area: 'storage', level: 'warn', message, remedy }]
}

function driftFindings(drift: DriftReport, platform: FoundPlatform): Finding[] {
  const strange = drift.indexes.filter((index) => index.origin === 'unknown')
  const unused = (drift.use ?? []).filter(
    ({ index, uses, since }) =>
      index !== '_id_' &&
      uses === 0 &&
      systemClock.now().getTime() - since.getTime() > UNUSED_AFTER_MS
  )
  const rows: [readonly string[], string, string][] = [
    [
      strange.map(({ collection, index }) => `${collection} ${index}`),
      'indexes on collections of plugins are not declared',
      'They are left alone. Every write pays for them: see whether a query needs them.'
    ],
    [
      unused.map(({ collection, index }) => `${collection} ${index}`),
      'indexes were not used for a week',
      'Remove them from plugin.json when no query needs them: every write pays for them.'
    ]
  ]
  const findings = rows
    .filter(([names]) => names.length > 0)
    .map(([names, what, remedy]): Finding => {
      const message = `${names.length} ${what}: ${names.slice(0, 10).join(', ')}`
      return { area: 'storage', level: 'warn', message, remedy }
    })
  return [...findings, ...leftBehindFindings(drift, platform)]
}

/**
 * Collections that Keelson made for plugins which the config does not name. The host's own collections, and those
 * of plugins that are switched off or given in code, are left out.
 */
function leftBehindFindings({ collections }: DriftReport, platform: FoundPlatform): Finding[] {
  const { plugins, inCode, off } = platform
  const named = new Set([...inCode, ...[...plugins, ...off].map(({ id }) => id)])
  const byPlugin = new Map<string, string[]>()
  for (const { collection, plugin } of collections) {
    if (plugin === undefined || named.has(plugin)) continue
    byPlugin.set(plugin, [...(byPlugin.get(plugin) ?? []), collection])
  }
  return [...byPlugin].map(([plugin, names]) => ({
    area: 'storage',
    level: 'warn',
    message: `${names.length} collections were made for ${plugin}, which the config does not name: ${names.slice(0, 10).join(', ')}`,
    remedy: `If a host registers ${plugin} in its code, all is well. If ${plugin} is gone for good, keelson purge ${plugin} shows what it left and removes it.`
  }))
}

async function queueFinding(db: Db, collection: string): Promise<Finding[]> {
  const [oldest] = await db
    .collection(collection)
    .find(
      { dueAt: { $lte: new Date(systemClock.now().getTime() - BEHIND_MS) } },
      { projection: { dueAt: 1 } }
    )
    .sort({ dueAt: 1 })
    .limit(1)
    .toArray()
  if (oldest === undefined) return []
  const message = `${collection} has items that are due since ${oldest['dueAt'].toISOString()}`
  const remedy = 'Start a host with KEELSON_ROLE all or worker, or more of them.'
  return [{ area: 'queues', level: 'warn', message, remedy }]
}

/** The plugins of the host at HOST and PORT; undefined without an answer. */
async function askHost(url: string | undefined): Promise<readonly PluginHealth[] | undefined> {
  if (url === undefined) return undefined
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    const body = (await response.json()) as { plugins?: readonly PluginHealth[] }
    return Array.isArray(body.plugins) ? body.plugins : undefined
  } catch {
    return undefined
  }
}

/** Where a host of this platform says how its plugins are; undefined when health is switched off. */
function healthAddress(
  { env }: Context,
  { read }: FoundPlatform,
  prefix: string
): string | undefined {
  const { health } = kernelAddresses(read.config.addresses, prefix)
  if (health === undefined) return undefined
  const { HOST: host = '127.0.0.1', PORT: port = '3000' } = env
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${below(health, '/plugins')}`
}

function pluginFindings(
  plugins: readonly PluginHealth[] | undefined,
  address = 'an address: the config switches health off'
): Finding[] {
  if (plugins === undefined) {
    return [{ area: 'plugins', level: 'ok', message: `no host answers at ${address}` }]
  }
  return plugins.map(({ id, state, reason, remedy }) => ({
    area: 'plugins',
    level: state === 'failed' ? 'fail' : state === 'degraded' ? 'warn' : 'ok',
    message: `${id} is ${state}${reason === undefined ? '' : `: ${reason}`}`,
    ...(remedy !== undefined && { remedy })
  }))
}
