// The platform as the command line sees it: its config, its plugins on disk, and its database.
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { KeelsonError, Manifest, PluginConfig, PluginDefinition } from '@keelson/sdk'
import pino, { type Logger } from 'pino'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { findPluginFolder, loadDefinition, readManifest } from '../manifest/read.ts'
import { checkConfig, type ReadConfig, readConfigText } from '../platform/config.ts'
import { connectStorage, type Storage } from '../storage/connect.ts'
import type { PlannedPlugin } from '../storage/plan.ts'
import type { CommandContext } from './command.ts'

export interface FoundPlugin {
  readonly id: string
  readonly folder: string
  readonly manifest: Manifest
  readonly entry: PluginConfig
}

export interface FoundPlatform {
  readonly read: ReadConfig
  /** Those that are switched on and lie on disk. */
  readonly plugins: readonly FoundPlugin[]
  /** Ids of those that a host registers in its code: the command line cannot see them. */
  readonly inCode: readonly string[]
}

const CONFIG_NAME = 'keelson.config.json'

/** Logs of what a command sets off: to stderr, so that stdout holds the answer alone. */
export function commandLog(): Logger {
  return pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
}

/** The config in force: KEELSON_CONFIG, else the demo's, else the one in this folder. */
export async function findConfig(context: Pick<CommandContext, 'cwd' | 'env'>): Promise<string> {
  const named = context.env['KEELSON_CONFIG']
  if (named !== undefined && named !== '') return resolve(context.cwd, named)
  const tried = [`examples/platform/${CONFIG_NAME}`, CONFIG_NAME]
  for (const name of tried) {
    const file = resolve(context.cwd, name)
    if (await isThere(file)) return file
  }
  throw errors.KRN_CLI_CONFIG_MISSING({ tried: tried.join(' nor ') })
}

export function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false
  )
}

/** Reads config and manifests; loads no code. Throws what is wrong with them. */
export async function findPlatform(
  context: Pick<CommandContext, 'cwd' | 'env'>
): Promise<FoundPlatform> {
  const checked = checkConfig(await readConfigText(await findConfig(context)), context.env)
  if (!checked.ok) throw oneOf(checked.problems)
  const { read } = checked
  const plugins: FoundPlugin[] = []
  const inCode: string[] = []
  for (const [id, entry] of Object.entries(read.config.plugins ?? {})) {
    if (entry.enabled === false) continue
    if (entry.package === undefined) {
      inCode.push(id)
      continue
    }
    const folder = await findPluginFolder(id, entry.package, read.baseDir)
    plugins.push({ id, folder, manifest: await readChecked(id, folder), entry })
  }
  return { read, plugins, inCode }
}

async function readChecked(id: string, folder: string): Promise<Manifest> {
  const checked = checkManifest(await readManifest(folder), id)
  if (checked.ok) return checked.manifest
  throw oneOf(checked.problems)
}

/** The problem itself, or all of them in one error. */
export function oneOf(problems: readonly KeelsonError[]): KeelsonError {
  const [first] = problems
  if (first !== undefined && problems.length === 1) return first
  const list = problems.map((problem) => `- ${problem.message}`).join('\n')
  return errors.KRN_SEVERAL_PROBLEMS({ count: problems.length, list })
}

export function loadPlugin(plugin: FoundPlugin): Promise<PluginDefinition> {
  return loadDefinition(plugin.folder, plugin.manifest)
}

/** For planning, which needs no code: the plugins need not even be built. */
export function declaredPlugins(plugins: readonly FoundPlugin[]): PlannedPlugin[] {
  return plugins.map(({ manifest }) => ({ manifest, migrations: {} }))
}

/** For applying: loads the code of those plugins that declare migrations. */
export function plannedPlugins(plugins: readonly FoundPlugin[]): Promise<PlannedPlugin[]> {
  return Promise.all(
    plugins.map(async (plugin) => {
      const { manifest } = plugin
      const hasMigrations = (manifest.migrations ?? []).length > 0
      return { manifest, migrations: hasMigrations ? (await loadPlugin(plugin)).migrations : {} }
    })
  )
}

/** Opens the platform's database for `act` and closes it. A running host shares its engine. */
export async function withStorage<T>(
  platform: FoundPlatform,
  act: (storage: Storage) => Promise<T>
): Promise<T> {
  const { config, baseDir } = platform.read
  const storage = await connectStorage(config.storage ?? {}, { baseDir, log: commandLog() })
  try {
    return await act(storage)
  } finally {
    await storage.close()
  }
}
