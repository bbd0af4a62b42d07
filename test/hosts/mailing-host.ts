// A host that takes telemetry and sends a broadcast; says its address to the parent process.
import keelson from '@keelson/kernel'
import { createMailerPlugin, createMemoryAdapter } from '@keelson/mailer'
import {
  type ActingOperations,
  type MailerCore,
  type MailerResult,
  mailerCore,
  mailerOperations
} from '@keelson/mailer/contracts'
import { definePlugin, type Host, systemActor } from '@keelson/sdk'
import telemetry, { type Telemetry, telemetryHandle } from '@keelson/telemetry'
import Fastify from 'fastify'

const { storage, smtp, recipients } = JSON.parse(process.argv[2] ?? '{}') as {
  storage: { dataDir?: string; uri?: string }
  smtp: string
  recipients: number
}

const TENANT = 'acme'
const NAME = 'page.viewed'
const BY = systemActor('recording')
const AT_ONCE = 50
const CAST = { slug: 'cast' }
const registry = {
  [NAME]: {
    kind: 'event',
    attrs: ['mark', 'source'],
    rollups: [{ as: 'pages_by_source', by: ['attr:source'], bucket: 'day' }]
  }
} as const
const ids = Array.from({ length: recipients }, (_, at) => `c${at}`)
const contacts = ids.map((externalId) => {
  return { externalId, email: `${externalId}@example.test`, tags: ['cast'], fields: {} }
})

const recording = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'recording',
    name: 'Recording',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Starts the work of a test and reads what came of it.',
    license: 'MIT',
    mount: '/recording',
    uses: [telemetryHandle.id, mailerCore.id, mailerOperations.id],
    routes: [
      { method: 'POST', path: '/key', auth: 'public', summary: 'Makes a key of ingest.' },
      { method: 'POST', path: '/broadcast', auth: 'public', summary: 'Schedules a broadcast.' },
      { method: 'GET', path: '/rows', auth: 'public', summary: 'Counts rows by their mark.' },
      { method: 'GET', path: '/mails', auth: 'public', summary: 'Lists mails with their status.' }
    ]
  },
  register(host) {
    const store = host.use(telemetryHandle)
    const mailer = host.use(mailerOperations).as(BY)
    host.route({ method: 'POST', path: '/key', handler: () => makeKey(store) })
    host.route({ method: 'POST', path: '/broadcast', handler: () => startBroadcast(host, mailer) })
    host.route({ method: 'GET', path: '/rows', handler: () => readRows(store) })
    host.route({ method: 'GET', path: '/mails', handler: () => readMails(mailer) })
  }
})

async function makeKey(store: Telemetry) {
  const key = { kind: 'secret', tenantMode: 'fixed', tenantId: TENANT } as const
  return store.createKey({ ...key, service: 'web', env: 'prod', maxPerMinute: 10_000_000 })
}

async function subscribeAll(core: MailerCore) {
  const acting = core.as(BY)
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const slice = ids.slice(at, at + AT_ONCE)
    await Promise.all(
      slice.map((externalId) => acting.upsertSubscription({ externalId, source: 'test' }))
    )
  }
}

async function startBroadcast(host: Host, mailer: ActingOperations) {
  await subscribeAll(host.use(mailerCore))
  const html = '<p>News</p><p>{{senderAddress}} <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
  const news = { params: { slug: 'news' } }
  const template = { slug: 'news', name: 'News', kind: 'marketing' } as const
  await mailer.call('mailer.templates.create', { body: template })
  await mailer.call('mailer.templates.changeDraft', { ...news, body: { subject: 'News', html } })
  const published = await mailer.call('mailer.templates.publish', { ...news, body: {} })
  const segmentDefinition = { filters: [{ kind: 'hasTag', tag: 'cast' }] }
  const draft = { slug: 'cast', name: 'Cast', templateSlug: 'news', segmentDefinition }
  const made = await mailer.call('mailer.broadcasts.create', { body: draft })
  const when = { scheduledAt: host.clock.now().toISOString(), confirmedCount: recipients }
  const scheduled = await mailer.call('mailer.broadcasts.schedule', { params: CAST, body: when })
  const failed = [published, made, scheduled].find(({ ok }) => !ok)
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
  return {}
}

/** How often each mark is there, and how many records the rollups have counted. */
async function readRows(store: Telemetry) {
  const reads = store.scoped(TENANT)
  const groups = await reads.aggregate([
    { $match: { name: NAME } },
    { $group: { _id: '$attrs.mark', count: { $sum: 1 } } }
  ])
  const [total] = await reads.rollupAggregate([
    { $match: { as: 'pages_by_source' } },
    { $group: { _id: null, count: { $sum: '$count' } } }
  ])
  return { marks: groups.map(({ _id, count }) => [_id, count]), counted: total?.['count'] ?? 0 }
}

async function readMails(mailer: ActingOperations) {
  const broadcast = await mailer.call('mailer.broadcasts.read', { params: CAST })
  const mails: (readonly [string | null, string])[] = []
  let query: { readonly cursor?: string } = {}
  for (;;) {
    const page: MailerResult<'mailer.sends.list'> = await mailer.call('mailer.sends.list', {
      query: { limit: 500, ...query }
    })
    if (!page.ok) throw new Error(JSON.stringify(page))
    mails.push(...page.answer.map(({ emailAtSend, status }) => [emailAtSend, status] as const))
    if (page.nextCursor === undefined) break
    query = { cursor: page.nextCursor }
  }
  return { broadcast: broadcast.ok ? broadcast.answer.status : undefined, mails }
}

const mailer = createMailerPlugin({ adapter: createMemoryAdapter(contacts) })
const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
await app.register(keelson, {
  config: {
    storage,
    plugins: {
      telemetry: { mount: '/ingest', config: { registry } },
      mailer: {
        config: {
          publicUrl: 'https://mail.example.test',
          unsubscribeSecret: 'the secret of a test',
          senderAddress: 'Acme, 1 Main Street',
          fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
          tickIntervalSeconds: 1,
          providers: { smtp: { url: smtp, sendRatePerSecond: 100 } }
        }
      },
      recording: { enabled: true }
    }
  },
  plugins: [telemetry, mailer, recording]
})
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
