// What the driver does to the database, told command by command for metrics.
import type {
  CommandFailedEvent,
  CommandStartedEvent,
  CommandSucceededEvent,
  MongoClient
} from 'mongodb'

/** A command the driver has finished, attributed to the collection it named. */
export interface StorageCommand {
  /** Empty for commands that name no collection (`hello`, `commitTransaction`). */
  readonly collection: string
  readonly command: string
  readonly durationMs: number
  readonly failed: boolean
}

/** Reports every finished command of a client that monitors commands. */
export function watchCommands(
  client: MongoClient,
  report: (command: StorageCommand) => void
): void {
  const collections = new Map<number, string>()
  const finish =
    (failed: boolean) =>
    ({ requestId, commandName, duration }: CommandSucceededEvent | CommandFailedEvent) => {
      const collection = collections.get(requestId) ?? ''
      collections.delete(requestId)
      report({ collection, command: commandName, durationMs: duration, failed })
    }
  client.on('commandStarted', (event: CommandStartedEvent) => {
    collections.set(event.requestId, collectionOf(event))
  })
  client.on('commandSucceeded', finish(false))
  client.on('commandFailed', finish(true))
}

/** The value of the command's own key, or the `collection` of a getMore. */
function collectionOf({ command, commandName }: CommandStartedEvent): string {
  const named: unknown = commandName === 'getMore' ? command['collection'] : command[commandName]
  return typeof named === 'string' ? named : ''
}
