// The platform as the command line sees it: its config, its plugins on disk, and its database.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Manifest, PluginConfig, PluginDefinition } from '@keelson/sdk'
import pino, { type Logger } from 'pino'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { CONFIG_NAMES } from '../manifest/config-file.ts'
import { exists, loadDefinition } from '../manifest/read.ts'
import { checkConfig, type ReadConfig } from '../platform/config.ts'
import { findPackage, foundInline, inlinePlugins } from '../platform/find-plugins.ts'
import { checkSettings, type Settings } from '../platform/settings.ts'
import type { PlatformChanges } from '../platform/stored-changes.ts'
import { joined, readPlatformText } from '../platform/validate.ts'
import { connectStorage, type Storage } from '../storage/connect.ts'
import type { PlannedPlugin } from '../storage/plan.ts'
import type { CommandContext } from './command.ts'

/** A plugin whose manifest is valid. Its code is not loaded. */
export interface CheckedPlugin {
  readonly id: string
  /** Undefined for a plugin in code that does not say where it is. */
  readonly folder: string | undefined
  /** Of a plugin that the config gives in code. */
  readonly definition?: PluginDefinition
  readonly manifest: Manifest
  readonly entry: PluginConfig
}

export interface FoundPlatform {
  readonly read: ReadConfig
  /** Switched on, and on disk or in the code of the config. */
  readonly plugins: readonly CheckedPlugin[]
  /** Ids of plugins that a host registers in code: the command line cannot see them. */
  readonly inCode: readonly string[]
  /** Switched off; their packages may be missing. */
  readonly off: readonly {
    readonly id: string
    readonly entry: PluginConfig
    /** Of a plugin that the config gives in code. */
    readonly manifest?: unknown
  }[]
  /** Prints a line beside the answer. */
  note(text: string): void
}

/** What the platform is found by, and where its notes go. */
export type PlatformContext = Pick<CommandContext, 'cwd' | 'env'> &
  Partial<Pick<CommandContext, 'note'>>

/** Logs of what a command sets off: to stderr, so that stdout holds the answer alone. */
export function commandLog(): Logger {
  return pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
}

/**
 * The config in force: KEELSON_CONFIG, else keelson.config.json, .js or .ts in this folder, else the file
 * that `keelson.config` in the package.json of this folder names.
 *
 * @throws KRN_CLI_CONFIG_MISSING, KRN_CLI_CONFIG_SEVERAL
 */
export async function findConfig({ cwd, env }: PlatformContext): Promise<string> {
  const named = env['KEELSON_CONFIG']
  if (named !== undefined && named !== '') return resolve(cwd, named)
  const here: string[] = []
  for (const name of CONFIG_NAMES) if (await exists(resolve(cwd, name))) here.push(name)
  const [first, ...others] = here
  if (others.length > 0)
    throw errors.KRN_CLI_CONFIG_SEVERAL({ folder: cwd, files: here.join(', ') })
  if (first !== undefined) return resolve(cwd, first)
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

/** Reads config and manifests; loads no code but that of the config. Throws what is wrong with them. `changes` are laid over the config. */
export async function findPlatform(
  context: PlatformContext,
  changes: PlatformChanges = {}
): Promise<FoundPlatform> {
  const text = await readPlatformText({ config: await findConfig(context), changes })
  const checked = checkConfig(text, context.env)
  if (!checked.ok) throw joined(checked.problems)
  const { read } = checked
  const entries = read.config.plugins ?? {}
  const plugins: CheckedPlugin[] = []
  const inCode: string[] = []
  const off: FoundPlatform['off'][number][] = []
  const inline = inlinePlugins(text.plugins, 'use').map((each) => foundInline(each, entries))
  for (const { manifest: raw, source, folder, definition, entry } of inline) {
    const manifest = validManifest(raw, source)
    if (entry.enabled === false) off.push({ id: manifest.id, entry, manifest })
    else plugins.push({ id: manifest.id, folder, manifest, definition, entry })
  }
  const known = new Set([...plugins, ...off].map(({ id }) => id))
  for (const [id, entry] of Object.entries(entries)) {
    if (known.has(id)) continue
    if (entry.enabled === false) {
      off.push({ id, entry })
      continue
    }
    const found = await findChecked(id, entry, read)
    if (found === undefined) inCode.push(id)
    else plugins.push(found)
  }
  return { read, plugins, inCode, off, note: context.note ?? (() => {}) }
}

async function findChecked(
  id: string,
  entry: PluginConfig,
  read: ReadConfig
): Promise<CheckedPlugin | undefined> {
  const found = await findPackage(id, entry.package, read)
  if (found === undefined) return undefined
  return { id, folder: found.folder, manifest: validManifest(found.manifest, id), entry }
}

function validManifest(raw: unknown, source: string): Manifest {
  const checked = checkManifest(raw, source)
  if (checked.ok) return checked.manifest
  throw joined(checked.problems)
}

/** Of the plugins that are switched off, as far as their packages are there and their manifests valid. */
export async function manifestsOff({ off, read }: FoundPlatform): Promise<Map<string, Manifest>> {
  const manifests = new Map<string, Manifest>()
  for (const { id, entry, manifest } of off) {
    if (manifest !== undefined) manifests.set(id, validManifest(manifest, id))
    const found = await findChecked(id, entry, read).catch(() => undefined)
    if (found !== undefined) manifests.set(id, found.manifest)
  }
  return manifests
}

export function loadPlugin(plugin: CheckedPlugin): Promise<PluginDefinition> {
  const { definition, folder = '', manifest } = plugin
  return definition === undefined ? loadDefinition(folder, manifest) : Promise.resolve(definition)
}

/** What the config sets for a plugin, checked against its schema. Throws what is wrong with it. */
export function settingsOf(
  { read }: Pick<FoundPlatform, 'read'>,
  plugin: CheckedPlugin,
  definition: PluginDefinition
): Settings {
  const checked = checkSettings({
    plugin: plugin.id,
    schema: definition.config,
    value: plugin.entry.config ?? {},
    path: `plugins.${plugin.id}.config`,
    filled: read.filled
  })
  if (!checked.ok) throw joined(checked.problems)
  return checked.settings
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

/** Opens the platform's database for `act`, says which it is, and closes it. A running host shares its engine. */
export async function withStorage<T>(
  platform: FoundPlatform,
  act: (storage: Storage) => Promise<T>
): Promise<T> {
  const { config, baseDir } = platform.read
  const storage = await connectStorage(config.storage ?? {}, { baseDir, log: commandLog() })
  try {
    await nameDatabase(platform, storage)
    return await act(storage)
  } finally {
    await storage.close()
  }
}

/** So that a command that went to another database than the host's is seen to have done so. */
export async function nameDatabase(
  { note, read }: FoundPlatform,
  storage: Pick<Storage, 'db' | 'description'>
): Promise<void> {
  const [first] = await storage.db.listCollections({}, { nameOnly: true }).toArray()
  const empty = first === undefined ? ' It is empty until now.' : ''
  note(`Database: ${storage.description} (config: ${read.source}).${empty}`)
}
