// Commands that a plugin adds to the command line: `keelson <plugin> <name>`.
import type { FastifyBaseLogger } from 'fastify'
import type { ClientSession, Collection, Document } from 'mongodb'
import type { Clock } from './clock.ts'
import type { Queue, QueueItem } from './queue/queue.ts'

/** One `--option` of a command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  /** May be given more than once. */
  readonly multiple?: boolean
  readonly description: string
  /** Stands for the value in `--help`: `--name NAME`. */
  readonly placeholder?: string
}

/** What was typed after the name of the command. */
export interface CommandCall {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[]>>
  readonly signal: AbortSignal
}

/** What a command prints: `json` with `--json`, else `text`. */
export type CommandAnswer =
  | { readonly text: string; readonly json: unknown; readonly failed?: boolean }
  /** It was used wrongly: printed on stderr with the usage, exit code 2. */
  | { readonly wrongUse: string }

/** What the command of a plugin works with: its own collections and its checked config. */
export interface CommandHost {
  readonly id: string
  readonly config: unknown
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  collection<T extends Document = Document>(name: string): Collection<T>
  withTransaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
  /** A declared queue, for items that the running platform handles. Throws KRN_QUEUE_UNDECLARED. */
  queue<T extends QueueItem>(name: string): Queue<T>
}

/**
 * A command of a plugin. A module that exports an array of them by default is named in the plugin's
 * package.json: `"keelson": { "commands": "./dist/commands.js" }`. The platform need not run; when it
 * does, the command shares its database. What it throws is printed, and the exit code is 1.
 *
 * @example
 * const commands: readonly PluginCommand[] = [
 *   {
 *     name: 'keys list',
 *     summary: 'Lists the ingest keys.',
 *     run: async (host) => {
 *       const items = await host.collection('telemetry_keys').find().limit(100).toArray()
 *       return { json: { items }, text: items.map((key) => key._id).join('\n') }
 *     }
 *   }
 * ]
 * export default commands
 */
export interface PluginCommand {
  /** One or more words, after the id of the plugin: `keys create`. */
  readonly name: string
  /** One sentence for `--help`. */
  readonly summary: string
  /** Positional arguments for `--help`: `<id>`. Without it, none are taken. */
  readonly positionals?: string
  /** Besides `--help` and `--json`, which every command has. */
  readonly options?: Readonly<Record<string, CommandOption>>
  /** False for a command that needs no database: none is opened, and the host refuses collections. Default true. */
  readonly database?: boolean
  run(host: CommandHost, call: CommandCall): Promise<CommandAnswer>
}
