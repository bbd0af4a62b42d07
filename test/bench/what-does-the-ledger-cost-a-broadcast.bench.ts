// A broadcast with its ledger into an SMTP server, against bare pooled nodemailer into the same server; the
// database commands it takes; and how long urgent mail waits while it runs.
import { setTimeout } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { openMailSink } from '../hosts/mail-sink.ts'
import { openBroadcastMailer, URGENT } from './broadcast-mailer.ts'
import { inTurns, printFigure } from './measure.ts'

const MAILS = 6_000
const ROUNDS = 3
const CONNECTIONS = 5
const URGENT_MAILS = 40
const POLL_MS = 10
/** How long a worker without mail is watched. */
const IDLE_MS = 10_000

const cleanUps: (() => Promise<void> | void)[] = []
const t = { teardown: (fn: () => Promise<void> | void) => void cleanUps.push(fn) }
const sink = await openMailSink(URGENT)
t.teardown(() => void sink.child.kill())
const mailer = await openBroadcastMailer(t, { smtp: sink.url, contacts: MAILS })
const { context } = mailer
const { sends } = context.collections

const [template] = (await context.templates.load(['news'])).values()
const rendered = template.render({
  contact: { externalId: 'c1', email: 'c1@example.test', tags: [], fields: { firstName: 'Ann' } },
  vars: {},
  roots: {},
  addresses: { sendId: 'a'.repeat(24), unsubscribeUrl: 'https://mail.acme.test/m/unsub/token' }
})
const { subject, html, text } = rendered.mail

/** Mails a second. */
async function bare(): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: 1000
  })
  const startedAt = performance.now()
  const ids = Array.from({ length: MAILS }, (_, at) => `c${at}`)
  const work = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const from = { name: 'Acme', address: 'news@acme.test' }
      await transport.sendMail({ from, to: `${id}@example.test`, subject, html, text })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS * 2 }, work))
  const seconds = (performance.now() - startedAt) / 1000
  transport.close()
  return MAILS / seconds
}

/** Commands a second of a host without mail: looks at six queues, and jobs of the plugins. */
async function idleCommands(): Promise<number> {
  const worker = await mailer.worker()
  await worker.startWorkers()
  // Jobs that are due at the first start of all are not of this second.
  await setTimeout(IDLE_MS / 2)
  mailer.commands()
  await setTimeout(IDLE_MS)
  const seen = mailer.commands().length
  await worker.stop()
  return (seen / IDLE_MS) * 1000
}

let round = 0
let commands = 0
let secondsOfAll = 0
/** Mails a second, from the first claim until the ledger has every outcome, by a queue that works by itself. */
async function ledgered(): Promise<number> {
  const slug = `cast-${++round}`
  const worker = await mailer.worker()
  await mailer.enqueue(slug)
  const before = await sink.taken()
  mailer.commands()
  const startedAt = performance.now()
  await worker.startWorkers()
  while ((await sink.taken()) - before < MAILS) await setTimeout(POLL_MS)
  await worker.stop()
  const seconds = (performance.now() - startedAt) / 1000
  commands += mailer.commands().length
  secondsOfAll += seconds
  const sent = await sends.countDocuments({ broadcastSlug: slug, status: 'sent' })
  const taken = (await sink.taken()) - before
  if (sent !== MAILS || taken !== MAILS)
    throw new Error(`${sent} sent, ${taken} arrived of ${MAILS}`)
  return MAILS / seconds
}

/** Milliseconds from `sendOneOff` until the mail arrived, for 19 of 20 mails, while a broadcast leaves. */
async function urgentDuring(): Promise<number> {
  await mailer.enqueue('behind')
  // Those of the mailer that is asked: it wakes its own queue at once.
  const before = await sink.taken()
  await mailer.core.startWorkers()
  const waits: number[] = []
  for (let at = 0; at < URGENT_MAILS && (await sink.taken()) - before < MAILS; at++) {
    const arrived = sink.arrival(`${URGENT}${at}`)
    const askedAt = Date.now()
    await mailer.core.sendOneOff({
      templateSlug: 'notice',
      externalId: `${URGENT}${at}`,
      dedupeKey: `urgent-${at}`
    })
    waits.push((await arrived) - askedAt)
  }
  await mailer.core.stop()
  waits.sort((left, right) => left - right)
  return waits[Math.floor(waits.length * 0.95)] ?? Number.NaN
}

const idle = await idleCommands()
const { first, second } = await inTurns(ROUNDS, ledgered, bare)
const rates = `${first.toFixed(0)} and ${second.toFixed(0)} mails a second`
printFigure('with the ledger over bare nodemailer', first / second, { atLeast: 0.5 }, rates)
const ofMails = commands - idle * secondsOfAll
const perHundred = (ofMails / (ROUNDS * MAILS)) * 100
const beside = `${commands} in all; a host without mail sends ${idle.toFixed(1)} a second`
printFigure('database commands per 100 mails', perHundred, { atMost: 3 }, beside)
const p95 = await urgentDuring()
printFigure('ms until urgent mail arrives, p95', p95, { atMost: 250 }, `${URGENT_MAILS} mails`)
for (const cleanUp of cleanUps.reverse()) await cleanUp()
process.exit()
