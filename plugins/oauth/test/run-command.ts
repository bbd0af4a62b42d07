// Runs a command of the plugin on the database of a test's host, as another process does.
import type { CommandAnswer, CommandHost } from '@keelson/sdk'
import { queueActions } from '@keelson/sdk/queue'
import type { TestHost } from '@keelson/sdk/testing'
import commands from '../commands.ts'

export async function runCommand(
  { host, config }: { readonly host: TestHost; readonly config: object },
  name: string,
  {
    args = [],
    options = {}
  }: {
    readonly args?: readonly string[]
    readonly options?: Readonly<Record<string, string | boolean | readonly string[]>>
  } = {}
): Promise<CommandAnswer | undefined> {
  const { db, clock } = host
  const commandHost = {
    id: 'oauth',
    config,
    log: host.app.log,
    clock,
    collection: (collection: string) => db.collection(collection),
    queue: (queue: string) => queueActions(db.collection(`oauth_${queue}`), clock, () => {})
  }
  return commands
    .find((one) => one.name === name)
    ?.run(commandHost as unknown as CommandHost, {
      args,
      options,
      signal: new AbortController().signal
    })
}
