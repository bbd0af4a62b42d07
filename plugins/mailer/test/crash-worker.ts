// A process that a crash test kills: works on the test's database, mails its sink, prints a line at each command.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { fetch } from 'undici'
import type { MailProvider, ProviderMessage } from '../contracts/mailer-provider.ts'
import { contextOn, type TestContext, type TestContextOptions } from './test-context.ts'

/** What a worker brings; `nameOf` names a mail for the sink. */
export interface CrashWorkerOptions extends Omit<TestContextOptions, 'now' | 'providers'> {
  readonly nameOf: (message: ProviderMessage) => string
}

/** Arguments behind those that every worker has. */
export const workerArgs = (): readonly string[] => process.argv.slice(6)

/** Works until `workOnce` answers true, over engines that die, and ends the process. */
export async function runCrashWorker(
  { nameOf, ...options }: CrashWorkerOptions,
  workOnce: (worker: Omit<TestContext, 'db' | 'client' | 'commands'>) => Promise<boolean>
): Promise<never> {
  const [uri = '', database = '', sink = '', now = '0'] = process.argv.slice(2)
  endWithParent()
  const client = await new MongoClient(uri, { monitorCommands: true }).connect()
  client.on('commandStarted', ({ commandName, command }) => {
    process.stdout.write(`${commandName} ${command[commandName]}\n`)
  })
  const worker = contextOn(
    { db: client.db(database), client },
    {
      ...options,
      now: new Date(Number(now)),
      providers: { sink: sinkProvider(sink, nameOf) }
    }
  )
  for (;;) {
    try {
      if (await workOnce(worker)) break
    } catch {
      // The engine was killed: it is started again.
      await sleep(50)
    }
  }
  await client.close()
  process.exit(0)
}

/** A provider that mails the sink of a test. */
export const sinkProvider = (
  sink: string,
  nameOf: (message: ProviderMessage) => string
): MailProvider => ({
  name: 'sink',
  sendRatePerSecond: 1500,
  async send(message, { messageId }) {
    const body = nameOf(message)
    const answer = await fetch(sink, { method: 'POST', body, headers: { messageId } })
    await answer.text()
    return { status: 'accepted', providerId: messageId }
  },
  verifyWebhook: () => false,
  parseWebhookEvents: () => []
})

/** A parent that was killed leaves no process to kill this one. */
export function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, 500).unref()
}
