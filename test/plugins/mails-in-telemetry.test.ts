// A mailer and a telemetry store together: funnels end in a mail, journeys show mails, erasure reaches both.
import mailerPlugin, {
  createMemoryAdapter,
  createTestMailer,
  mailTelemetryRegistry
} from '@keelson/mailer'
import { type MailerCore, mailerContacts, mailerCore } from '@keelson/mailer/contracts'
import { definePlugin, systemActor } from '@keelson/sdk'
import { createTestHost, testDatabase } from '@keelson/sdk/testing'
import telemetryPlugin, {
  createQueries,
  createTelemetry,
  type RegistrySpec
} from '@keelson/telemetry'
import { type Test, test } from 'tap'

const MINUTE = 60_000
const tenantId = 'acme'
const signedUp: RegistrySpec = {
  'account.signed_up': {
    kind: 'event',
    subjects: ['user'],
    rollups: [{ as: 'signed_up', by: ['subject'] }]
  }
}
const seedContacts = ['u1', 'u2'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [],
  fields: {}
}))

async function bench(t: Test) {
  const { db } = await testDatabase(t)
  const telemetry = await createTelemetry({
    connection: db,
    registry: { ...signedUp, ...mailTelemetryRegistry },
    pepper: 'pepper of a test'
  })
  t.teardown(() => telemetry.close())
  const config = { telemetry: { store: telemetry, tenantId } }
  const host = await createTestMailer({ db, seedContacts, config })
  t.teardown(() => host.stop())
  const body = { html: '<p>Hello</p>', plainText: '', mjml: '', editorJson: null }
  const template = { kind: 'transactional', name: 'Receipt', subject: 'Receipt', version: 1 }
  await host.db.collection('mailer_template_versions').insertOne({
    _id: 'receipt:1' as never,
    slug: 'receipt',
    ...template,
    body,
    tags: [],
    variablesSchema: {},
    preheader: '',
    fromName: '',
    fromEmail: '',
    replyTo: null,
    bodyFormat: 'multipart',
    trackOpens: false,
    trackClicks: false,
    compiledHtml: body.html,
    compiledText: 'Hello',
    bodyHash: 'h'
  })
  await host.db
    .collection('mailer_templates')
    .insertOne({ _id: 'receipt' as never, slug: 'receipt', ...template })
  const drain = async () => {
    await host.drain()
    // The tick after a hand-over reads its outcome.
    await host.drain()
  }
  return { ...host, drain, telemetry, queries: createQueries({ telemetry }) }
}

test('a funnel ends in a mail, and a journey shows the mail after what led to it', async (t) => {
  const { mailer, drain, telemetry, queries } = await bench(t)
  for (const id of ['u1', 'u2'])
    await telemetry.emit('account.signed_up', { tenantId, subjects: [{ type: 'user', id }] })
  await telemetry.flush()
  const mail = { templateSlug: 'receipt', externalId: 'u1', dedupeKey: 'receipt-1' }
  const { sendId } = await mailer.sendOneOff(mail)
  await drain()
  const range = { from: new Date(Date.now() - MINUTE), to: new Date(Date.now() + MINUTE) }
  const funnel = await queries.funnel(tenantId, { stages: ['signed_up', 'mail_sent'], ...range })
  t.same(
    funnel.stages.map(({ key, subjects }) => [key, subjects]),
    [
      ['signed_up', 2],
      ['mail_sent', 1]
    ]
  )
  const { records } = await queries.journey(tenantId, { ref: 'user:u1', ...range })
  t.same(
    records.map((record) => record['name']),
    ['mail.sent', 'account.signed_up']
  )
  t.match(records[0], { traceId: sendId, attrs: { template: 'receipt', send: sendId } })
  await drain()
  t.equal((await telemetry.scoped(tenantId).find({ name: 'mail.sent' })).length, 1)
})

test('erasing a contact leaves no trace of their mails in telemetry', async (t) => {
  const { mailer, drain, telemetry } = await bench(t)
  await mailer.sendOneOff({ templateSlug: 'receipt', externalId: 'u1', dedupeKey: 'receipt-1' })
  await drain()
  t.match(await telemetry.scoped(tenantId).find(), [{ name: 'mail.sent' }])
  await mailer.forget('u1')
  await drain()
  t.same(await telemetry.scoped(tenantId).find({ subjectKeys: 'user:u1' }), [])
})

test('as plugins, the mailer declares its events and records mails in the store', async (t) => {
  const people = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'people',
      name: 'People',
      version: '1.0.0',
      kernel: '*',
      description: 'Has contacts.',
      license: 'MIT',
      provides: [mailerContacts.id],
      uses: [mailerCore.id]
    },
    register(host) {
      host.provide(mailerContacts, createMemoryAdapter(seedContacts))
      // Each uses the other.
      host.onReady(() => {
        mailer = host.use(mailerCore)
      })
    }
  })
  let mailer: MailerCore | undefined
  const host = await createTestHost({
    plugin: mailerPlugin,
    plugins: [telemetryPlugin, people],
    config: {
      publicUrl: 'https://mail.example.test',
      unsubscribeSecret: 'the secret of a test',
      fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
      providers: { null: {} },
      telemetry: { tenantId, journeyPath: '/telemetry/journey' }
    },
    viewer: { tenantId: '*', role: 'admin' }
  })
  t.teardown(() => host.close())
  const api = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload = {}) =>
    (await host.app.inject({ method, url: `/admin/mailer/api${path}`, payload })).json()
  const template = { slug: 'receipt', name: 'Receipt', kind: 'transactional' }
  await api('POST', '/templates', template)
  await api('PATCH', '/templates/receipt/draft', { subject: 'Receipt', html: '<p>Hello</p>' })
  await api('POST', '/templates/receipt/publish')
  const mail = { templateSlug: 'receipt', externalId: 'u1', dedupeKey: 'receipt-1' }
  const sendId = (await mailer?.as(systemActor('test')).sendOneOff(mail))?.sendId
  await host.clock.advance(MINUTE)
  t.match(await api('GET', `/sends/${sendId}`), {
    journeyHref: /^\/telemetry\/journey.*user%3Au1/
  })
  const rows = () => host.db.collection('telemetry').find({ name: 'mail.sent' }).toArray()
  t.equal((await rows()).length, 1)
})
