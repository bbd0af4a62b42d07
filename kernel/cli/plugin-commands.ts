// Commands that plugins add: `keelson <plugin> <name>`, from the module their package.json names.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CommandHost, type PluginCommand, type QueueItem, runTransaction } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { createRedactor } from '../errors/redact.ts'
import { redactLines } from '../lifecycle/log-lines.ts'
import { declaredQueue, openQueue } from '../schedule/plugin-queue.ts'
import { openCollections } from '../storage/collections.ts'
import type { Storage } from '../storage/connect.ts'
import { applyPlan, type PlannedPlugin, planStorage } from '../storage/plan.ts'
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
    async run(_context, call) {
      const own = await openCommand(platform, plugin)
      if (command.database === false) return command.run(withoutDatabase(own, command), call)
      return withStorage(platform, async (storage) =>
        command.run(await withDatabase(own, storage, call.signal), call)
      )
    }
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

/** A command's own part of its host. */
interface OpenCommand extends Pick<CommandHost, 'id' | 'config' | 'log' | 'clock'> {
  readonly planned: PlannedPlugin
}

async function openCommand(platform: FoundPlatform, plugin: CheckedPlugin): Promise<OpenCommand> {
  const { id, manifest } = plugin
  const definition = await loadPlugin(plugin)
  const settings = settingsOf(platform, plugin, definition)
  const log = commandLog()
  redactLines(log, createRedactor(settings.secrets.values))
  const planned = { manifest, migrations: definition.migrations }
  return { id, config: settings.all, log, clock: systemClock, planned }
}

async function withDatabase(
  { planned, ...own }: OpenCommand,
  storage: Storage,
  signal: AbortSignal
): Promise<CommandHost> {
  const { log, clock } = own
  // The command may be the first to use the database: its unique indexes must hold from the start.
  await applyPlan(storage.db, await planStorage(storage.db, [planned]), { log, signal, clock })
  const { manifest } = planned
  const { collection } = openCollections(storage, manifest)
  return {
    ...own,
    collection,
    withTransaction: (fn) => runTransaction(storage.client, fn),
    queue: <T extends QueueItem>(name: string) => {
      const spec = declaredQueue(manifest, name)
      return openQueue(own.id, spec, collection<T>(spec.collection), { clock })
    }
  }
}

function withoutDatabase(
  { planned: _planned, ...own }: OpenCommand,
  { name }: PluginCommand
): CommandHost {
  const refuse = (): never => {
    throw errors.KRN_CLI_NO_DATABASE({ plugin: own.id, command: name })
  }
  return { ...own, collection: refuse, withTransaction: refuse, queue: refuse }
}
