// A process for broadcast-crash.test: queues and sends one broadcast, and prints a line at each database command.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { fetch } from 'undici'
import { advanceBroadcasts } from '../broadcasts/advance-broadcasts.ts'
import { people, templates } from '../broadcasts/test/broadcast-bench.ts'
import { createSendHandler } from '../sends/hand-off.ts'
import { recoverParked } from '../sends/recover-parked.ts'
import { contextOn } from './test-context.ts'

const [uri = '', database = '', sink = '', count = '0', now = '0'] = process.argv.slice(2)
/** Longer than any lease. */
const LEASES_OVER = 61_000

// A parent that was killed leaves no process to kill this one.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 500).unref()

const client = await new MongoClient(uri, { monitorCommands: true }).connect()
client.on('commandStarted', () => process.stdout.write('command\n'))
const { context, queues, pass } = contextOn(
  { db: client.db(database), client },
  {
    now: new Date(Number(now)),
    contacts: people(Number(count)),
    templates,
    providers: {
      sink: {
        name: 'sink',
        sendRatePerSecond: 1500,
        async send({ to }, { messageId }) {
          const answer = await fetch(sink, { method: 'POST', body: to, headers: { messageId } })
          await answer.text()
          return { status: 'accepted', providerId: messageId }
        },
        verifyWebhook: () => false,
        parseWebhookEvents: () => []
      }
    },
    handlers: (made) => ({ bulkSends: createSendHandler(made) })
  }
)

async function workOnce(): Promise<void> {
  await recoverParked(context)
  const { moved } = await advanceBroadcasts(context)
  await queues.bulkSends.runDue()
  const broadcast = await context.collections.broadcasts.findOne({})
  if (broadcast?.status === 'sent') {
    process.stdout.write('sent\n')
    await client.close()
    process.exit(0)
  }
  // What is left waits for leases of processes that were killed.
  if (moved === 0) pass(LEASES_OVER)
}

for (;;) {
  try {
    await workOnce()
  } catch {
    // The engine was killed: it is started again.
    await sleep(50)
  }
}
