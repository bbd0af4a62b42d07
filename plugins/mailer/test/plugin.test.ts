// The mailer as a plugin: from its config alone, with what other plugins contribute, and its administration.
// Runs beside the others: it waits for much of its time.
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import {
  bindOperations,
  type Call,
  definePlugin,
  type Operation,
  operation,
  withOperations
} from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import Fastify from 'fastify'
import { test } from 'tap'
import { createMailerAdmin } from '../admin/admin-router.ts'
import { appendLines } from '../audience/contacts/journal/journal-file.ts'
import { formatOptOut } from '../audience/contacts/journal/pending-opt-out.ts'
import { signUnsubscribe } from '../audience/contacts/unsubscribe-token.ts'
import { adminAccess, MAILER_ADMIN_API, mailerAdminApi } from '../contracts/mailer-admin-api.ts'
import { type MailerCore, mailerCore } from '../contracts/mailer-core.ts'
import { mailerProvider } from '../contracts/mailer-provider.ts'
import { mailerSendGate } from '../contracts/mailer-send-gate.ts'
import { mailerSetupCheck } from '../contracts/mailer-setup-check.ts'
import { mailerTick } from '../contracts/mailer-tick.ts'
import { createRecordingProvider } from '../providers/recording/recording-provider.ts'
import { ACME, around, CONFIG, platformMailer, publish, sendOne } from './platform-mailer.ts'

const MOUNT = '/own/mail'

interface AdminExtra {
  mailer(): MailerCore
}

/** A plugin that serves and contributes operations. */
const contributing = (id: string, operations: readonly Operation<AdminExtra>[]) =>
  definePlugin({
    manifest: {
      manifestVersion: 1,
      id,
      name: id,
      version: '1.0.0',
      kernel: '*',
      description: 'Beside the mailer.',
      license: 'MIT',
      uses: [mailerCore.id, mailerAdminApi.id],
      routes: [...withOperations([], operations)]
    },
    config: Type.Object({ adminTenants: Type.Array(Type.String(), { default: ['acme'] }) }),
    operations,
    register(host) {
      const services = { mailer: () => host.use(mailerCore) }
      host.serve(operations, services)
      host.extend(mailerAdminApi, { name: id, operations: bindOperations(operations, services) })
    }
  })

const receipt = { slug: 'receipt', kind: 'transactional' } as const

test('it starts from its config alone and sends a mail', async (t) => {
  const platform = await platformMailer(t)
  t.match((await platform.admin('GET', '/templates')).body, [])
  await publish(platform, receipt)
  const sendId = await sendOne(platform, 'receipt')
  t.match((await platform.admin('GET', `/sends/${sendId}`)).body.send, { status: 'sent' })
  t.same(
    (await platform.health()).map(({ state }) => state),
    ['ready', 'ready', 'ready']
  )
})

test('without contacts it starts, and the setup list says so', async (t) => {
  const platform = await platformMailer(t, { withContacts: false })
  const { status, body } = await platform.admin('GET', '/setup-status')
  t.equal(status, 200)
  const line = body.checks.find(({ name }: { name: string }) => name === 'contacts')
  t.match(line, { severity: 'warn', hint: /mailer\.contacts/ })
})

test('a contributed provider sends, once a mail names it or the config does', async (t) => {
  const provider = createRecordingProvider({ name: 'own' })
  const platform = await platformMailer(t, {
    plugins: [
      around('carrier', [mailerProvider.id], (host) => host.extend(mailerProvider, provider))
    ],
    config: { providers: {}, defaultProvider: 'own' }
  })
  await publish(platform, receipt)
  await sendOne(platform, 'receipt')
  t.match(provider.sent, [{ to: 'c1@example.test', fromEmail: 'hello@acme.test' }])
})

test('a contributed gate holds a mail until it lets it go', async (t) => {
  let isOpen = false
  const gate = around('guard', [mailerSendGate.id], (host) =>
    host.extend(mailerSendGate, {
      name: 'guard',
      kinds: ['transactional'],
      checkBatch: () =>
        isOpen ? null : { error: 'not_yet', message: 'Not yet.', retryAfterSeconds: 5 }
    })
  )
  const platform = await platformMailer(t, { plugins: [gate] })
  await publish(platform, receipt)
  const sendId = await sendOne(platform, 'receipt')
  const read = async () => (await platform.admin('GET', `/sends/${sendId}`)).body.send
  t.match(await read(), { status: 'held' })
  isOpen = true
  await platform.clock.advance(6000)
  t.match(await read(), { status: 'sent' })
})

test('contributed operations answer administrators of the tenant alone', async (t) => {
  const note = operation({
    id: 'extra.names.note',
    method: 'POST',
    base: MAILER_ADMIN_API,
    path: '/extra/:name',
    summary: 'Notes a name',
    access: adminAccess.publish,
    effect: 'change',
    params: Type.Object({ name: Type.String({ maxLength: 5 }) }),
    body: Type.Object({ count: Type.Integer() }),
    status: 201,
    answer: Type.Object({ name: Type.String(), count: Type.Integer(), actor: Type.String() }),
    async run({ params: { name }, body: { count } }, { host, actor }: Call<AdminExtra>) {
      const entry = { action: 'extra.note', resource: { collection: 'extra', id: name } }
      await host.mailer().as(actor).audit(entry)
      return { name, count, actor: actor.name }
    }
  })
  const api = contributing('extra', [note])
  const platform = await platformMailer(t, { plugins: [api] })
  const post = (path: string, payload: object) => platform.admin('POST', path, payload)
  t.match(await post('/extra/one', { count: 1 }), {
    status: 201,
    body: { name: 'one', count: 1, actor: 'human:a@acme.test' }
  })
  t.match((await platform.admin('GET', '/audit?action=extra.note')).body, [
    { actor: 'human:a@acme.test', resource: { id: 'one' } }
  ])
  t.match(await post('/extra/one', { count: 'x' }), {
    status: 400,
    body: { error: 'validation_failed', fields: [{ path: 'count' }] }
  })
  t.match(await platform.admin('GET', '/extra/none'), { status: 404, body: { error: 'not_found' } })
  const guest = Fastify()
  t.teardown(() => guest.close())
  const getActor = () => 'human:guest'
  await guest.register(createMailerAdmin(platform.mailer, { getActor }), { prefix: MOUNT })
  const url = `${MOUNT}/api/extra/two`
  const noted = await guest.inject({ method: 'POST', url, payload: { count: 2 } })
  t.equal(noted.statusCode, 201, 'a host that mounts the API behind its own guard may act')
  t.match((await platform.admin('GET', '/audit?action=extra.note')).body, [
    { actor: 'human:guest', resource: { id: 'two' } },
    { actor: 'human:a@acme.test' }
  ])
  for (const [viewer, status] of [
    [null, 401],
    [{ ...ACME, role: 'viewer' }, 403],
    [{ ...ACME, tenantId: 'globex' }, 403],
    [{ ...ACME, tenantId: '*' }, 201]
  ] as const) {
    platform.signIn(viewer)
    t.equal((await post('/extra/two', { count: 2 })).status, status)
    t.equal((await platform.admin('GET', '/me')).status, status === 201 ? 200 : status)
  }
})

test('files of suppressions go through the platform, and only administrators send them', async (t) => {
  const { app, signIn } = await platformMailer(t)
  const address = '/admin/mailer/api/suppressions'
  const rows = Array.from({ length: 10_000 }, (_, at) => `person${at}@example.test`)
  const headers = { 'content-type': 'text/csv' }
  const url = `${address}/import`
  const send = (payload: string) => app.inject({ method: 'POST', url, headers, payload })
  const made = await send(`email\n${rows.join('\n')}\nnone\n`)
  t.match(made.json(), { taken: 10_000, broken: 1, errors: [{ line: 10_002 }] })
  const exported = await app.inject(`${address}/export`)
  t.equal(exported.body.trimEnd().split('\n').length, 10_001)
  signIn({ ...ACME, role: 'viewer' })
  t.equal((await send('email\n')).statusCode, 403)
  t.equal((await app.inject(`${address}/export`)).statusCode, 403)
})

test('an address of the admin API that is taken ends the start, and names both plugins', async (t) => {
  const taking = (id: string, path: string) =>
    contributing(id, [
      operation({
        id: `${id}.things.read`,
        method: 'GET',
        base: MAILER_ADMIN_API,
        path,
        summary: 'Taken',
        access: adminAccess.read,
        effect: 'read',
        answer: Type.Object({}),
        run: (_input, _call: Call<AdminExtra>) => ({})
      })
    ])
  await t.rejects(platformMailer(t, { plugins: [taking('first', '/templates/:any')] }), {
    message: /Plugin (first and mailer|mailer and first) both serve GET .*\/templates\//
  })
  const both = [taking('first', '/own/:a'), taking('second', '/own/:b')]
  await t.rejects(platformMailer(t, { plugins: both }), {
    message: /Plugin second and first both serve GET/
  })
})

test('a name of a contribution that is taken ends the start, and names both plugins', async (t) => {
  const provider = around('carrier', [mailerProvider.id], (host) =>
    host.extend(mailerProvider, createRecordingProvider({ name: 'null' }))
  )
  await t.rejects(platformMailer(t, { plugins: [provider] }), {
    message: /provider "null".*carrier.*mailer/
  })
  const task = (id: string) =>
    around(id, [mailerTick.id], (host) =>
      host.extend(mailerTick, { name: 'sweep', run: () => undefined })
    )
  await t.rejects(platformMailer(t, { plugins: [task('first'), task('second')] }), {
    message: /task of the tick "sweep".*second.*first/
  })
})

const faults: readonly (readonly [string, object, RegExp])[] = [
  ['no public address', { publicUrl: '' }, /publicUrl is missing.*auth\.publicUrl/],
  ['no provider', { providers: { smtp: { url: '' } } }, /providers must name at least one/],
  ['an unknown default provider', { defaultProvider: 'pigeon' }, /defaultProvider.*pigeon/]
]
for (const [what, config, message] of faults) {
  test(`the start fails and says why: ${what}`, async (t) => {
    await t.rejects(platformMailer(t, { config: { ...CONFIG, ...config } }), { message })
  })
}

test('links of mails are below the mount, whatever the platform is below', async (t) => {
  const platform = await platformMailer(t, {
    config: { publicUrl: '' },
    platform: { auth: { publicUrl: 'https://a.example.test/' } },
    prefix: '/platform'
  })
  const { config } = platform.mailer.getRunnerContext()
  t.equal(config.publicUrl, 'https://a.example.test/platform')
  t.equal((await platform.app.inject('/platform/m/open/x.png')).statusCode, 200)
  const me = '/platform/admin/mailer/api/me'
  t.match((await platform.app.inject(me)).json(), { actor: 'human:a@acme.test' })
})

test('the setup list holds own and contributed lines, and the worst is the state', async (t) => {
  const checks = around('checks', [mailerSetupCheck.id], (host) => {
    host.extend(mailerSetupCheck, {
      name: 'fine',
      label: 'Fine',
      run: () => ({ severity: 'ok', message: 'All is well.' })
    })
    host.extend(mailerSetupCheck, {
      name: 'broken',
      label: 'Broken',
      run() {
        throw new Error('no luck')
      }
    })
  })
  const platform = await platformMailer(t, { plugins: [checks] })
  await platform.clock.advance(20_000)
  const { body } = await platform.admin('GET', '/setup-status')
  t.match(body, { overall: 'error', generatedAt: String })
  const severities = Object.fromEntries(
    body.checks.map(({ name, severity }: Record<string, string>) => [name, severity])
  )
  t.same(severities, {
    mongo: 'ok',
    queue: 'ok',
    provider_unavailable: 'ok',
    marketing_pause: 'ok',
    workers_heartbeat: 'ok',
    unknown_sends: 'ok',
    tick_tasks: 'ok',
    silent_events: 'ok',
    from_defaults_marketing: 'ok',
    transactional_from_defaults: 'ok',
    transactional_fallback: 'ok',
    postal_address: 'warn',
    published_template_domains: 'ok',
    doi_template: 'ok',
    contacts: 'ok',
    fine: 'ok',
    broken: 'error'
  })
})

test('vendors of the config are called at their own hosts, or at the address that is set', async (t) => {
  const platform = await platformMailer(t, {
    config: {
      providers: {
        sendgrid: { apiKey: 'SG.test', baseUrl: 'https://sendgrid.example.test' },
        ses: { accessKeyId: 'A', secretAccessKey: 'B', region: 'eu-central-1' },
        postmark: { serverToken: '' }
      }
    }
  })
  const { mailer, outbound, clock } = platform
  t.same([...mailer.getRunnerContext().providers.keys()], ['sendgrid', 'ses'])
  outbound
    .get('https://sendgrid.example.test')
    .intercept({ path: '/v3/mail/send', method: 'POST' })
    .reply(202, '', { headers: { 'x-message-id': 'from-sendgrid' } })
  outbound
    .get('https://email.eu-central-1.amazonaws.com')
    .intercept({ path: '/v2/email/outbound-emails', method: 'POST' })
    .reply(200, { MessageId: 'from-ses' })
  await publish(platform, receipt)
  t.match(await platform.acts.sendTest({ templateSlug: 'receipt', to: 'c1@example.test' }), {
    providerId: 'from-sendgrid'
  })
  const mail = { templateSlug: 'receipt', externalId: 'c1', dedupeKey: 'by ses' }
  const { sendId } = await platform.acts.sendOneOff({ ...mail, providerOverride: 'ses' })
  await clock.advance(1000)
  t.match((await platform.admin('GET', `/sends/${sendId}`)).body.send, {
    status: 'sent',
    providerMessageId: 'from-ses'
  })
})

test('public routes take what mail programs and providers send', async (t) => {
  const platform = await platformMailer(t)
  const post = (url: string, contentType: string, payload: string) =>
    platform.app.inject({ method: 'POST', url, headers: { 'content-type': contentType }, payload })
  const form =
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const expiresAt = new Date(platform.clock.now().getTime() + 1000)
  const request = { email: 'c1@example.test', scope: 'marketing' } as const
  const token = signUnsubscribe(request, expiresAt, CONFIG.unsubscribeSecret)
  await post(`/m/unsub/${token}`, 'multipart/form-data; boundary=x', form)
  t.match((await platform.admin('GET', '/suppressions')).body, [request])
  t.equal((await post('/m/webhooks/null', 'application/json', '[]')).statusCode, 401)
  t.equal(
    (await post('/m/webhooks/null', 'application/json', ' '.repeat(5_300_000))).statusCode,
    413
  )
})

test('a web process serves and sends nothing, and a worker process serves nothing', async (t) => {
  const web = await platformMailer(t, { role: 'web' })
  await publish(web, receipt)
  const sendId = await sendOne(web, 'receipt')
  t.match((await web.admin('GET', `/sends/${sendId}`)).body.send, { status: 'queued' })
  const worker = await platformMailer(t, { role: 'worker' })
  t.equal((await worker.app.inject('/m/open/x.png')).statusCode, 404)
  t.equal((await worker.app.inject('/admin/mailer/api/me')).statusCode, 404)
  await worker.clock.advance(16_000)
  t.ok(await worker.db.collection('mailer_state').findOne({ _id: 'tick' as never }))
})

test('a web process replays the unsubscribes that its own journal holds', async (t) => {
  const pendingUnsubsPath = join(t.testdir({}), 'pending')
  const at = new Date()
  const optOut = { email: 'c1@example.test', scope: 'marketing', at } as const
  await appendLines(pendingUnsubsPath, [formatOptOut(optOut as never)])
  const platform = await platformMailer(t, { role: 'web', config: { pendingUnsubsPath } })
  await platform.clock.advance(61_000)
  t.match((await platform.admin('GET', '/suppressions')).body, [
    { email: 'c1@example.test', scope: 'marketing' }
  ])
})

test('a close writes the opens that wait', async (t) => {
  const left: { row?: Record<string, unknown> | null } = {}
  const provider = createRecordingProvider({ name: 'own' })
  const carrier = around('carrier', [mailerProvider.id], (host) =>
    host.extend(mailerProvider, provider)
  )
  const platform = await platformMailer(t, {
    plugins: [carrier],
    config: { providers: {}, defaultProvider: 'own' },
    onClosed: async ({ db }) => {
      left.row = await db.collection('mailer_sends').findOne({})
    }
  })
  await publish(platform, { slug: 'news', kind: 'marketing' })
  await platform.acts.upsertSubscription({ externalId: 'c1', source: 'test' })
  await sendOne(platform, 'news')
  const [picture = ''] = /\/m\/open\/[^"]+/.exec(provider.sent[0]?.html ?? '') ?? []
  t.equal((await platform.app.inject(picture)).statusCode, 200)
  await platform.app.close()
  t.match(left.row, { openCount: 1 })
})

test('a close hands back the lease of a mail that waits for its provider', async (t) => {
  const left: { row?: Record<string, unknown> | null } = {}
  const calls = new EventEmitter()
  const begun = once(calls, 'send')
  const hanging = around('hanging', [mailerProvider.id], (host) =>
    host.extend(mailerProvider, {
      ...createRecordingProvider({ name: 'hanging' }),
      send: (_message, { signal }) =>
        new Promise((_resolve, reject) => {
          calls.emit('send')
          signal.addEventListener('abort', () => reject(signal.reason))
        })
    })
  )
  const platform = await platformMailer(t, {
    plugins: [hanging],
    config: { providers: {}, defaultProvider: 'hanging' },
    onClosed: async ({ db }) => {
      left.row = await db.collection('mailer_sends').findOne({})
    }
  })
  await publish(platform, receipt)
  const sending = sendOne(platform, 'receipt')
  await begun
  await Promise.all([platform.app.close(), sending.catch(() => undefined)])
  t.match(left.row, { externalId: 'c1' })
  t.notOk(left.row?.['lease'], 'another process may take it at once')
})
