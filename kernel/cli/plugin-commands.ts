// Commands that plugins add: `keelson <plugin> <name>`, from the module their package.json names.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CommandHost, type PluginCommand, runTransaction } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { createRedactor } from '../errors/redact.ts'
import { redactLines } from '../lifecycle/log-lines.ts'
import { openCollections } from '../storage/collections.ts'
import type { Storage } from '../storage/connect.ts'
import { applyPlan, planStorage } from '../storage/plan.ts'
import { systemClock } from '../system-clock.ts'
import type { Command } from './command.ts'
import {
  type CheckedPlugin,
  commandLog,
  type FoundPlatform,
  findPlatform,
  loadPlugin,
  type PlatformContext,
  packageSetting,
  settingsOf,
  withStorage
} from './platform.ts'

export interface FoundCommands {
  readonly commands: readonly Command[]
  /** Why there may be fewer than there should be. */
  readonly problem: string | undefined
}

/** The commands of all plugins that are switched on; none, and a reason, when there is no platform. */
export async function findPluginCommands(context: PlatformContext): Promise<FoundCommands> {
  try {
    const platform = await findPlatform(context)
    const perPlugin = await Promise.all(
      platform.plugins.map((plugin) => commandsOf(platform, plugin))
    )
    return { commands: perPlugin.flat(), problem: undefined }
  } catch (error) {
    return { commands: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

async function commandsOf(platform: FoundPlatform, plugin: CheckedPlugin): Promise<Command[]> {
  const { folder } = plugin
  const named = folder && (await packageSetting(folder, 'commands'))
  if (folder === undefined || named === undefined) return []
  const file = resolve(folder, named)
  return (await loadCommands(plugin.id, file)).map((command) => ({
    ...command,
    name: `${plugin.id} ${command.name}`,
    run: (_context, call) =>
      withStorage(platform, async (storage) =>
        command.run(await commandHost(platform, plugin, storage, call.signal), call)
      )
  }))
}

async function loadCommands(plugin: string, file: string): Promise<readonly PluginCommand[]> {
  let commands: unknown
  try {
    commands = (await import(pathToFileURL(file).href)).default
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw errors.KRN_CLI_COMMANDS({ plugin, file, reason, cause })
  }
  if (Array.isArray(commands) && commands.every(isCommand)) return commands
  const reason = 'its default export is not an array of commands'
  throw errors.KRN_CLI_COMMANDS({ plugin, file, reason })
}

function isCommand(value: unknown): value is PluginCommand {
  const { name, run } = (value ?? {}) as Partial<PluginCommand>
  return typeof name === 'string' && name !== '' && typeof run === 'function'
}

async function commandHost(
  platform: FoundPlatform,
  plugin: CheckedPlugin,
  storage: Storage,
  signal: AbortSignal
): Promise<CommandHost> {
  const definition = await loadPlugin(plugin)
  const settings = settingsOf(platform, plugin, definition)
  const log = commandLog()
  redactLines(log, createRedactor(settings.secrets.values))
  // The command may be the first to use the database: its unique indexes must hold from the start.
  const { manifest } = plugin
  const planned = await planStorage(storage.db, [{ manifest, migrations: definition.migrations }])
  await applyPlan(storage.db, planned, { log, signal, clock: systemClock })
  return {
    id: plugin.id,
    config: settings.all,
    log,
    clock: systemClock,
    collection: openCollections(storage, plugin.manifest).collection,
    withTransaction: (fn) => runTransaction(storage.client, fn)
  }
}
