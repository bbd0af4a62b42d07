// The platform as the command line sees it: its config, its plugins on disk, and its database.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Manifest, PluginConfig, PluginDefinition } from '@keelson/sdk'
import pino, { type Logger } from 'pino'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { exists, loadDefinition } from '../manifest/read.ts'
import { checkConfig, type ReadConfig, readConfigText } from '../platform/config.ts'
import { findPackage } from '../platform/find-plugins.ts'
import { joined } from '../platform/validate.ts'
import { connectStorage, type Storage } from '../storage/connect.ts'
import type { PlannedPlugin } from '../storage/plan.ts'
import type { CommandContext } from './command.ts'

/** A plugin whose manifest is valid. Its code is not loaded. */
export interface CheckedPlugin {
  readonly id: string
  readonly folder: string
  readonly manifest: Manifest
  readonly entry: PluginConfig
}

export interface FoundPlatform {
  readonly read: ReadConfig
  /** Switched on and on disk. */
  readonly plugins: readonly CheckedPlugin[]
  /** Ids of plugins that a host registers in code: the command line cannot see them. */
  readonly inCode: readonly string[]
  /** Switched off; their packages may be missing. */
  readonly off: readonly { readonly id: string; readonly entry: PluginConfig }[]
}

const CONFIG_NAME = 'keelson.config.json'

/** Logs of what a command sets off: to stderr, so that stdout holds the answer alone. */
export function commandLog(): Logger {
  return pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
}

/**
 * The config in force: KEELSON_CONFIG, else keelson.config.json in this folder, else the file that
 * `keelson.config` in the package.json of this folder names.
 *
 * @throws KRN_CLI_CONFIG_MISSING
 */
export async function findConfig({
  cwd,
  env
}: Pick<CommandContext, 'cwd' | 'env'>): Promise<string> {
  const named = env['KEELSON_CONFIG']
  if (named !== undefined && named !== '') return resolve(cwd, named)
  const here = resolve(cwd, CONFIG_NAME)
  if (await exists(here)) return here
  const inPackage = await packageSetting(cwd, 'config')
  if (inPackage !== undefined) return resolve(cwd, inPackage)
  throw errors.KRN_CLI_CONFIG_MISSING({ folder: cwd })
}

/** A setting below `keelson` in the package.json of a folder. */
export async function packageSetting(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(resolve(folder, 'package.json'), 'utf8').catch(() => '{}')
  const value: unknown = JSON.parse(text)?.keelson?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Reads config and manifests; loads no code. Throws what is wrong with them. */
export async function findPlatform(
  context: Pick<CommandContext, 'cwd' | 'env'>
): Promise<FoundPlatform> {
  const checked = checkConfig(await readConfigText(await findConfig(context)), context.env)
  if (!checked.ok) throw joined(checked.problems)
  const { read } = checked
  const plugins: CheckedPlugin[] = []
  const inCode: string[] = []
  const off: FoundPlatform['off'][number][] = []
  for (const [id, entry] of Object.entries(read.config.plugins ?? {})) {
    if (entry.enabled === false) {
      off.push({ id, entry })
      continue
    }
    const found = await findChecked(id, entry, read)
    if (found === undefined) inCode.push(id)
    else plugins.push(found)
  }
  return { read, plugins, inCode, off }
}

async function findChecked(
  id: string,
  entry: PluginConfig,
  read: ReadConfig
): Promise<CheckedPlugin | undefined> {
  const found = await findPackage(id, entry.package, read)
  if (found === undefined) return undefined
  const checked = checkManifest(found.manifest, id)
  if (!checked.ok) throw joined(checked.problems)
  return { id, folder: found.folder, manifest: checked.manifest, entry }
}

/** Of the plugins that are switched off, as far as their packages are there and their manifests valid. */
export async function manifestsOff({ off, read }: FoundPlatform): Promise<Map<string, Manifest>> {
  const manifests = new Map<string, Manifest>()
  for (const { id, entry } of off) {
    const found = await findChecked(id, entry, read).catch(() => undefined)
    if (found !== undefined) manifests.set(id, found.manifest)
  }
  return manifests
}

export function loadPlugin(plugin: CheckedPlugin): Promise<PluginDefinition> {
  return loadDefinition(plugin.folder, plugin.manifest)
}

/** For planning, which needs no code: the plugins need not even be built. */
export function declaredPlugins(plugins: readonly CheckedPlugin[]): PlannedPlugin[] {
  return plugins.map(({ manifest }) => ({ manifest, migrations: {} }))
}

/** For applying: loads the code of those plugins that declare migrations. */
export function plannedPlugins(plugins: readonly CheckedPlugin[]): Promise<PlannedPlugin[]> {
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
