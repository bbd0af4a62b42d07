// The mailer and the circuit breaker together: bounces trip, marketing mail waits, a resume lets it go once.
import breaker from '@keelson/circuit-breaker'
import mailer, { createMemoryAdapter } from '@keelson/mailer'
import {
  type MailerCore,
  mailerContacts,
  mailerCore,
  mailerProvider,
  type ProviderEvent
} from '@keelson/mailer/contracts'
import { definePlugin, systemActor } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'

const MINUTE_MS = 60_000
const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:a' }
const contacts = Array.from({ length: 9 }, (_, at) => ({
  externalId: `c${at}`,
  email: `c${at}@example.test`,
  tags: [],
  fields: {}
}))

async function open(t: Test) {
  const mails: string[] = []
  let core: MailerCore | undefined
  const people = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'people',
      name: 'People',
      version: '1.0.0',
      kernel: '*',
      description: 'Has contacts, and a provider that counts mails.',
      license: 'MIT',
      provides: [mailerContacts.id],
      uses: [mailerCore.id, mailerProvider.id]
    },
    register(host) {
      host.provide(mailerContacts, createMemoryAdapter(contacts))
      host.extend(mailerProvider, {
        name: 'counting',
        send: async ({ to }) => ({ status: 'accepted', providerId: `id-${mails.push(to)}` }),
        verifyWebhook: () => true,
        parseWebhookEvents: (payload) =>
          (payload as ProviderEvent[]).map((event) => ({ ...event, occurredAt: host.clock.now() }))
      })
      host.onReady(() => {
        core = host.use(mailerCore)
      })
    }
  })
  const host = await createTestHost({
    plugin: mailer,
    plugins: [people, breaker],
    viewer,
    config: {
      publicUrl: 'https://mail.example.test',
      unsubscribeSecret: 'the secret of a test',
      fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
      adminTenants: ['acme'],
      defaultProvider: 'counting'
    },
    platform: {
      plugins: {
        'circuit-breaker': { config: { minSendsBeforeEval: 5, adminTenants: ['acme'] } }
      }
    }
  })
  t.teardown(() => host.close())
  const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const reply = await host.app.inject({ method, url, ...(payload && { payload }) })
    t.ok(reply.statusCode < 300, `${method} ${url}: ${reply.statusCode} ${reply.body}`)
    return reply.body === '' ? undefined : reply.json()
  }
  const api = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    call(method, `/admin/mailer/api${path}`, payload)
  for (const kind of ['marketing', 'transactional']) {
    await api('POST', '/templates', { slug: kind, name: kind, kind })
    const html = '<p>Hello <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>'
    await api('PATCH', `/templates/${kind}/draft`, { subject: 'Hello', html })
    await api('POST', `/templates/${kind}/publish`, {})
  }
  const send = async (templateSlug: string, externalId: string) => {
    const mail = { templateSlug, externalId, dedupeKey: `${templateSlug} ${externalId}` }
    const { sendId } = (await core?.as(systemActor('test')).sendOneOff(mail)) ?? { sendId: '' }
    await host.clock.advance(2000)
    return async () => (await api('GET', `/sends/${sendId}`)).send.status
  }
  for (const { externalId } of contacts)
    await core?.as(systemActor('test')).upsertSubscription({ externalId, source: 'test' })
  return { host, mails, api, call, send }
}

test('bounces hold the marketing mail of a domain, and a resume sends it once within a minute', async (t) => {
  const { host, mails, api, call, send } = await open(t)
  for (const id of ['c0', 'c1', 'c2', 'c3', 'c4']) await send('marketing', id)
  t.equal(mails.length, 5)
  await call('POST', '/m/webhooks/counting', [
    {
      type: 'bounce',
      providerEventId: 'e1',
      providerMessageId: 'id-1',
      email: 'c0@example.test',
      details: { bounceType: 'hard' }
    }
  ])
  await host.clock.advance(MINUTE_MS)
  t.match(await api('GET', '/health'), {
    status: 'tripped',
    buckets: [{ senderDomain: 'acme.test', kind: 'marketing', rates: { hardBounceRate: 0.2 } }]
  })
  const held = await send('marketing', 'c5')
  const receipt = await send('transactional', 'c6')
  t.same([await held(), await receipt()], ['held', 'sent'])
  t.match(await api('GET', '/health'), { buckets: [{ held: 1 }] })
  const listed = async (query: string) =>
    (await api('GET', `/sends?${query}`)).map(
      ({ externalId }: { externalId: string }) => externalId
    )
  t.same(await listed('status=held&sender=ACME.test'), ['c5'])
  t.same(await listed('status=bounced&sender=acme.test'), ['c0'])
  t.same(await listed('status=held&sender=me.test'), [])
  t.notOk(mails.includes('c5@example.test'))
  t.same(await api('POST', '/health/resume', {}), { ok: true, resumed: 1 })
  await host.clock.advance(MINUTE_MS)
  t.equal(await held(), 'sent')
  await host.clock.advance(5 * MINUTE_MS)
  t.equal(mails.filter((to) => to === 'c5@example.test').length, 1)
  const health = await api('GET', '/health')
  t.equal(health.status, 'healthy', 'later ticks do not trip it again')
  t.notOk('held' in health.buckets[0])
  const { items = [], ...rest } = await api('GET', '/audit?action=health.trip')
  t.match([...items, ...Object.values(rest)].flat()[0], { actor: 'system:circuit-breaker' })
})
