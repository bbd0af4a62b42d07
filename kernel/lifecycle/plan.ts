// The plan phase: the database is opened and compared with what the manifests declare.

import type { Revision } from '../changes/revisions.ts'
import { errors } from '../errors/errors.ts'
import { openLimits } from '../guards/limits.ts'
import type { ReadConfig } from '../platform/config.ts'
import type { PlatformPlugin } from '../platform/platform.ts'
import type { RunReport } from '../schedule/run-report.ts'
import { isThere, type Storage, type StorageCommand } from '../storage/connect.ts'
import { type StoragePlan, stepText } from '../storage/plan.ts'
import { type Kernel, type OpenKernel, ownerOfCollection, type ValidKernel } from './kernel.ts'
import { createHealthReader } from './plugin-health.ts'

/** What the connection is made of. */
type StoragePlace = Pick<ReadConfig, 'config' | 'baseDir'>

/**
 * Connects while the packages of the plugins are being loaded, which takes as long. Only to a database
 * that is there: a start that is refused leaves no empty one behind.
 */
export function connectEarly(kernel: Kernel, read: StoragePlace): void {
  const { storage = {}, plugins = {} } = read.config
  if (Object.keys(plugins).length === 0 || !isThere(storage, read.baseDir)) return
  // Its failure is reported where the connection is awaited, after what is wrong with the plugins.
  connect(kernel, read).catch(() => {})
}

function connect(kernel: Kernel, { config, baseDir }: StoragePlace): Promise<Storage> {
  const { log, seams, metrics } = kernel
  const commands = metrics.counter(
    'keelson_db_commands_total',
    'Database commands by the plugin that owns the collection, and command.'
  )
  const onCommand = ({ collection, command }: StorageCommand) =>
    commands.inc({ plugin: ownerOfCollection(kernel, collection), command })
  kernel.connecting = seams.connect(config.storage ?? {}, { baseDir, log, onCommand })
  return kernel.connecting
}

/**
 * The revision of the platform's settings to start with; undefined where the config says it all, and where there is
 * no database yet.
 */
export async function readRevision(
  kernel: Kernel,
  read: StoragePlace
): Promise<Revision | undefined> {
  const { env, newestRevision } = kernel.seams
  if (env['KEELSON_SETTINGS'] === 'off') return undefined
  if (kernel.connecting === undefined && !isThere(read.config.storage ?? {}, read.baseDir)) {
    return undefined
  }
  const storage = await (kernel.connecting ?? connect(kernel, read))
  const below = env['KEELSON_SETTINGS_BELOW']
  return newestRevision(storage.db, below === undefined ? undefined : Number(below))
}

/** Opens storage and schedule. Nothing in the database is changed. */
export async function openStorage(kernel: ValidKernel): Promise<OpenKernel> {
  const { platform, log, seams, role } = kernel
  const storage = await (kernel.connecting ?? connect(kernel, platform))
  const schedule = seams.createSchedule({
    storage,
    clock: seams.clock,
    role,
    log,
    onRun: runMetrics(kernel),
    redact: (text) => kernel.redact(text),
    ...(seams.ticker !== undefined && { ticker: seams.ticker })
  })
  const limits = await openLimits(storage.db, { clock: seams.clock, log })
  log.info({ storage: storage.description }, 'the database is connected')
  const health = createHealthReader({
    running: kernel.running,
    states: kernel.states,
    schedule,
    pages: kernel.pageFailures,
    clock: seams.clock,
    log
  })
  return Object.assign(kernel, { storage, schedule, limits, health })
}

function runMetrics({ metrics }: Kernel): (report: RunReport) => void {
  const jobs = metrics.counter('keelson_job_runs_total', 'Runs of jobs by outcome.')
  const jobSeconds = metrics.histogram('keelson_job_duration_seconds', 'Seconds a job ran.')
  const items = metrics.counter('keelson_queue_items_total', 'Items of queues by outcome.')
  const itemSeconds = metrics.histogram('keelson_queue_duration_seconds', 'Seconds an item took.')
  return ({ plugin, kind, name, outcome, durationMs }) => {
    if (kind === 'job') {
      jobs.inc({ plugin, job: name, outcome })
      jobSeconds.observe(durationMs / 1000, { plugin, job: name })
      return
    }
    items.inc({ plugin, queue: name, outcome })
    itemSeconds.observe(durationMs / 1000, { plugin, queue: name })
  }
}

/** The steps that the database needs. Refuses what is over budget before anything is touched. */
export async function planPlugins(
  kernel: OpenKernel,
  plugins: readonly PlatformPlugin[]
): Promise<StoragePlan> {
  const { seams, log } = kernel
  for (const { id, manifest } of plugins) {
    for (const { name } of manifest.collections ?? []) kernel.collectionOwners.set(name, id)
  }
  const planned = plugins.map(({ manifest, definition }) => ({
    manifest,
    migrations: definition.migrations
  }))
  const plan = await seams.planStorage(kernel.storage.db, planned)
  const { apply = 'auto' } = kernel.platform.config.storage ?? {}
  if (apply !== 'auto') return leftAlone(kernel, plan, apply)
  if (plan.steps.length > 0) log.info({ steps: plan.steps.length }, 'schema steps are pending')
  return plan
}

/** The plan of a start that may not change the database. */
function leftAlone({ log }: Kernel, plan: StoragePlan, apply: 'check' | 'off'): StoragePlan {
  const count = plan.steps.length
  const steps = plan.steps.map(stepText)
  if (count > 0 && apply === 'check') {
    throw errors.KRN_STORAGE_PENDING({ count, list: steps.map((step) => `- ${step}`).join('\n') })
  }
  if (count > 0) log.warn({ steps }, 'the database lacks something, and storage.apply is off')
  return { ...plan, steps: [], unrecorded: new Set() }
}
