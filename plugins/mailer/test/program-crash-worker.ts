// A process for program-crash.test: a whole mailer with programs beside it, until every run has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { createMemoryAdapter } from '../audience/contacts/memory-adapter.ts'
import { people } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { openMailer } from '../host/mailer.ts'
import { endWithParent, sinkProvider, workerArgs } from './crash-worker.ts'

const [count = '0'] = workerArgs()
const [uri = '', database = '', sink = '', now = '0'] = process.argv.slice(2)
/** Longer than any lease, and until mails on their way are looked at. */
const NEXT_LOOK = 16 * 60_000

endWithParent()
const client = await new MongoClient(uri, { monitorCommands: true }).connect()
client.on('commandStarted', ({ commandName, command }) => {
  process.stdout.write(`${commandName} ${command[commandName]}\n`)
})
let offset = Number(now) - Date.now()
const clock = { now: () => new Date(Date.now() + offset) }

/** The engine may be killed while a process opens: it is started again. */
async function open() {
  for (;;) {
    try {
      return await openMailer(
        {
          db: client.db(database),
          adapter: createMemoryAdapter(people(Number(count))),
          providers: { sink: sinkProvider(sink, ({ to, subject }) => `${subject} ${to}`) },
          publicUrl: 'https://mail.example.test',
          unsubscribeSecret: 'the secret of a crash test',
          fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
          dnsbl: { intervalHours: 0 },
          dmarc: { dnsServers: '' }
        },
        { clock }
      )
    } catch {
      await sleep(50)
    }
  }
}

const { mailer, host, tick } = await open()
const { events, programRuns } = mailer.collections
for (;;) {
  try {
    await tick()
    await host.runDue({ without: ['mailer/tick'] })
    const isWaiting =
      (await events.findOne({ state: { $ne: 'done' } })) ??
      (await programRuns.findOne({ status: 'active' }))
    if (isWaiting === null) break
    offset += NEXT_LOOK
  } catch {
    await sleep(50)
  }
}
process.exit(0)
