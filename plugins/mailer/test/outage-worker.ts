// A process for outage-crash.test: queues and sends, tick by tick, while its provider is away; prints its clock.
import { MongoClient } from 'mongodb'
import { fetch } from 'undici'
import { advanceBroadcasts } from '../campaigns/broadcasts/advance-broadcasts.ts'
import { people, templates } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { createSendHandler } from '../campaigns/send-handler.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import { wakeWaiting } from '../delivery/outages/wake-waiting.ts'
import { recoverParked } from '../delivery/sends/recover-parked.ts'
import { lookUpUnknowns } from '../delivery/sends/unknown-sends.ts'
import { preparedTemplate } from './recording-sends.ts'
import { contextOn } from './test-context.ts'

const [uri = '', database = '', sink = '', now = '0', folder = '', count = '0'] =
  process.argv.slice(2)
const TICK_MS = 5_000

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 500).unref()

/** Takes mails over HTTP; refused connections and mails are what the server makes of them. */
const provider: MailProvider = {
  name: 'sink',
  sendRatePerSecond: 1500,
  async send({ to }, { messageId }) {
    const answer = await fetch(sink, { method: 'POST', body: to, headers: { messageId } })
    await answer.text()
    return { status: 'accepted', providerId: messageId }
  },
  async lookUp({ messageId }) {
    const answer = await fetch(sink, { headers: { messageId } })
    const isThere = (await answer.text()) === 'there'
    return isThere ? { status: 'accepted', providerId: messageId } : { status: 'absent' }
  },
  verifyWebhook: () => false,
  parseWebhookEvents: () => []
}

const client = await new MongoClient(uri).connect()
const { context, queues, pass } = contextOn(
  { db: client.db(database), client },
  {
    now: new Date(Number(now)),
    contacts: people(Number(count)),
    config: { handOverJournalDir: folder },
    providers: { sink: provider },
    templates: {
      load: async (slugs) =>
        new Map([...(await templates.load(slugs)), ['notice', preparedTemplate('notice')]])
    },
    handlers: (made) => {
      const handler = createSendHandler(made)
      return { urgentSends: handler, bulkSends: handler }
    }
  }
)
const { sends, broadcasts } = context.collections
for (;;) {
  await advanceBroadcasts(context)
  await recoverParked(context)
  await wakeWaiting(context)
  await lookUpUnknowns(context)
  await Promise.all([queues.urgentSends.runDue(), queues.bulkSends.runDue()])
  const open = await sends.countDocuments({ status: { $ne: 'sent' } })
  if (open === 0 && (await broadcasts.findOne({}))?.status === 'sent') break
  pass(TICK_MS)
  process.stdout.write(`${context.clock.now().getTime()}\n`)
}
await client.close()
process.exit(0)
