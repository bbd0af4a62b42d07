// The circuit breaker beside a stand-in for the mailer: counts, trips, holds, resumes.

import { type MailBreaker, type MailOutcome, mailerBreaker } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { BucketReport, HealthReport } from '../buckets/health-report.ts'
import type { BreakerSettings } from '../config.ts'
import { type BreakerChange, mailerBreakerHook } from '../contracts.ts'
import plugin from '../plugin.ts'
import { outcomes } from './outcome.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const MINUTE_MS = 60_000

async function open(t: Test, config: Partial<BreakerSettings> = {}) {
  const mailer = createMailerStandIn()
  const changes: BreakerChange[] = []
  let breaker: MailBreaker | undefined
  const observer = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'observer',
      name: 'Observer',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'Learns of changes.',
      license: 'MIT',
      uses: [mailerBreaker.id, mailerBreakerHook.id]
    },
    register(host) {
      breaker = host.use(mailerBreaker)
      host.extend(mailerBreakerHook, {
        name: 'observer',
        onChange: (each) => void changes.push(each)
      })
    }
  })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin, observer],
    viewer,
    config: { minSendsBeforeEval: 5, adminTenants: ['acme'], ...config }
  })
  t.teardown(() => host.close())
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/admin/mailer/api${path}`
    const answer = await host.app.inject({ method, url, ...(payload && { payload }) })
    return { status: answer.statusCode, json: answer.json() }
  }
  const health = async (): Promise<HealthReport> => (await call('GET', '/health')).json
  const bucket = async (domain: string | null = 'acme.test', kind = 'marketing') =>
    (await health()).buckets.find(
      (each) => each.senderDomain === domain && each.kind === kind
    ) as BucketReport
  /** Something happens now, and the mailer ticks. */
  const happen = async (
    times: number,
    type: MailOutcome['type'],
    fields: Partial<MailOutcome> = {}
  ) => {
    mailer.outcomes.push(...outcomes(times, { type, occurredAt: host.clock.now(), ...fields }))
    await mailer.tick()
  }
  const trip = async () => {
    await happen(5, 'accepted')
    await happen(1, 'hard_bounce')
  }
  const hold = () => mailer.askSendGates({ senderDomain: 'acme.test' })
  return {
    host,
    mailer,
    changes,
    breaker: () => breaker as MailBreaker,
    call,
    health,
    bucket,
    happen,
    trip,
    hold
  }
}

test('before the first tick there is no status', async (t) => {
  const { health } = await open(t)
  t.match(await health(), {
    status: null,
    rates: null,
    counters: null,
    aggregate: null,
    buckets: []
  })
})

test('below the minimum a bucket is counted and not judged', async (t) => {
  const { happen, health, bucket, breaker } = await open(t)
  await happen(4, 'accepted')
  await happen(1, 'hard_bounce')
  t.match(await bucket(), {
    status: 'healthy',
    counters: { sent: 4, bounced: 1, hardBounced: 1 },
    rates: { hardBounceRate: 0.25 },
    warning: null
  })
  const { thresholds } = await breaker().health()
  t.match(thresholds, { hardBounceRatePctTrip: 2 })
  t.notOk('adminTenants' in thresholds, 'the tenants of administrators are another setting')
  t.match(await health(), { status: 'healthy', thresholds })
})

test('blocks warn of the mailbox provider', async (t) => {
  const { happen, bucket } = await open(t)
  await happen(40, 'accepted', { mailboxProvider: 'microsoft' })
  await happen(30, 'send_failed', { mailboxProvider: 'microsoft', bounceClass: 'block' })
  t.match(await bucket(), { warning: /^Microsoft refused 30 of 70 mails/ })
})

test('over a threshold the bucket trips once: audit, broadcasts, hook', async (t) => {
  const { trip, happen, health, bucket, mailer, changes, call } = await open(t)
  await trip()
  await happen(3, 'hard_bounce')
  t.match(await bucket(), {
    status: 'tripped',
    rates: { hardBounceRate: 0.2 },
    trippedReason: /^Hard bounces 20% of 5 mails/
  })
  t.equal((await health()).status, 'tripped')
  t.match(mailer.callsOf('audit'), [
    [
      {
        actor: 'system:circuit-breaker',
        action: 'health.trip',
        resource: { slug: 'acme.test|marketing' },
        after: { rates: { hardBounceRate: 0.2 } }
      }
    ]
  ])
  t.match(mailer.callsOf('pauseBroadcasts'), [
    [
      {
        by: 'circuit-breaker:acme.test',
        senderDomain: 'acme.test',
        cause: 'circuit_breaker_tripped',
        message: /^Hard bounces/
      }
    ]
  ])
  t.match(changes, [{ action: 'health.trip', senderDomain: 'acme.test', kind: 'marketing' }])
  t.match((await call('GET', '/health/trips')).json, [{ action: 'health.trip' }])
  t.match((await call('GET', '/health?trips=true')).json, { trips: [{ action: 'health.trip' }] })
  t.notOk('trips' in (await call('GET', '/health')).json, 'they are read when they are asked for')
})

test('a trip holds marketing mail of its domain alone', async (t) => {
  const { trip, hold, mailer } = await open(t)
  t.equal(await hold(), null)
  await trip()
  t.match(await hold(), { gate: 'circuit-breaker', error: 'circuit_breaker_tripped' })
  const others = [
    { kind: 'transactional', senderDomain: 'acme.test' },
    { senderDomain: 'b.test' }
  ] as const
  for (const mail of others) t.equal(await mailer.askSendGates(mail), null)
})

test('a tripped transactional bucket shows, and holds and pauses nothing', async (t) => {
  const { happen, hold, bucket, mailer } = await open(t)
  await happen(5, 'accepted', { kind: 'transactional' })
  await happen(2, 'hard_bounce', { kind: 'transactional' })
  t.equal((await bucket('acme.test', 'transactional')).status, 'tripped')
  t.equal(await hold(), null)
  t.equal(await mailer.askSendGates({ kind: 'transactional', senderDomain: 'acme.test' }), null)
  t.same(mailer.callsOf('pauseBroadcasts'), [])
})

test('mail without a From domain is counted apart, and pauses no broadcast', async (t) => {
  const { happen, bucket, health, mailer, call } = await open(t)
  await happen(5, 'accepted', { senderDomain: null })
  await happen(2, 'complaint', { senderDomain: null })
  t.equal((await bucket(null)).status, 'tripped')
  t.equal((await health()).buckets.length, 1)
  t.same(mailer.callsOf('pauseBroadcasts'), [])
  t.match(await mailer.askSendGates({ senderDomain: null }), { gate: 'circuit-breaker' })
  const body = { senderDomain: null, kind: 'marketing' }
  t.same((await call('POST', '/health/resume', body)).json, { ok: true, resumed: 1 })
})

test('a resume frees one bucket, is audited, and old counts never trip it again', async (t) => {
  const { trip, happen, hold, host, bucket, mailer, call, changes } = await open(t)
  await trip()
  const before = host.clock.now()
  await host.clock.advance(1000)
  const body = { senderDomain: 'Acme.test', kind: 'marketing' }
  t.same((await call('POST', '/health/resume', body)).json, { ok: true, resumed: 1 })
  t.equal(await hold(), null)
  const resumes = mailer.callsOf('audit').filter(([{ action }]) => action === 'health.resume')
  t.match(resumes[0], [{ actor: 'human:user:ada', ip: '127.0.0.1' }])
  t.equal(new Set(resumes.map(([{ dedupeKey }]) => dedupeKey)).size, 1, 'one entry of the log')
  t.same(mailer.callsOf('resumeBroadcasts'), [['circuit-breaker:acme.test']])
  t.equal(changes.at(-1)?.action, 'health.resume')
  await happen(4, 'hard_bounce', { occurredAt: before })
  await happen(9, 'accepted')
  for (let tick = 0; tick < 3; tick++) await mailer.tick()
  t.match(await bucket(), { status: 'healthy', counters: { sent: 9, hardBounced: 0 } })
  await happen(1, 'hard_bounce')
  t.equal((await bucket()).status, 'tripped', 'new bounces do')
  t.same(
    (await call('GET', '/health/trips')).json.map(({ action }: BreakerChange) => action),
    ['health.trip', 'health.resume', 'health.trip']
  )
})

test('a resume needs the permission to send broadcasts, and a tenant of the plugin', async (t) => {
  const { trip, hold, host, mailer, call } = await open(t)
  await trip()
  mailer.permissions.delete('sendBroadcasts')
  t.match(await call('POST', '/health/resume'), { status: 403, json: { error: 'forbidden' } })
  mailer.permissions.add('sendBroadcasts')
  host.signIn({ ...viewer, tenantId: 'globex' })
  t.equal((await call('POST', '/health/resume')).status, 403)
  t.equal((await call('GET', '/health')).status, 403)
  t.match(await hold(), { error: 'circuit_breaker_tripped' })
})

test('an empty resume frees every tripped bucket, and half a name is refused', async (t) => {
  const { trip, happen, health, call } = await open(t)
  await trip()
  await happen(5, 'accepted', { senderDomain: 'b.test', kind: 'transactional' })
  await happen(5, 'soft_bounce', { senderDomain: 'b.test', kind: 'transactional' })
  for (const body of [{ senderDomain: 'acme.test' }, { kind: 'marketing' }]) {
    const { status, json } = await call('POST', '/health/resume', body)
    t.match([status, json.error], [400, 'validation_failed'])
  }
  t.same((await call('POST', '/health/resume')).json, { ok: true, resumed: 2 })
  t.same((await call('POST', '/health/resume', {})).json, { ok: true, resumed: 0 })
  t.equal((await health()).status, 'healthy')
})

test('the window rolls: under default thresholds 100 mails an hour ago do not save a bad minute', async (t) => {
  const { happen, host, bucket } = await open(t, { minSendsBeforeEval: 100 })
  await happen(1000, 'accepted')
  await happen(19, 'hard_bounce')
  t.equal((await bucket()).status, 'healthy')
  await host.clock.advance(45 * MINUTE_MS)
  await happen(100, 'accepted')
  t.match(await bucket(), { status: 'healthy', counters: { sent: 1100, hardBounced: 19 } })
  await host.clock.advance(20 * MINUTE_MS)
  await happen(3, 'hard_bounce')
  t.match(await bucket(), { status: 'tripped', counters: { sent: 100, hardBounced: 3 } })
})

test('failed hand-overs degrade, hold nothing, and the bucket recovers', async (t) => {
  const { happen, host, hold, bucket, mailer } = await open(t)
  await happen(5, 'accepted')
  await happen(1, 'send_failed')
  t.equal((await bucket()).status, 'degraded')
  t.equal(await hold(), null)
  t.match(await mailer.readSetup(), [{ name: 'circuit_breaker', severity: 'warn' }])
  await host.clock.advance(61 * MINUTE_MS)
  await mailer.tick()
  t.equal((await bucket()).status, 'healthy')
})

test('the setup list shows trips as errors and unlikely rates of few mails as warnings', async (t) => {
  const { happen, trip, mailer, bucket } = await open(t, { minSendsBeforeEval: 100 })
  await happen(4, 'accepted')
  await happen(1, 'hard_bounce')
  t.match(await mailer.readSetup(), [{ severity: 'ok' }], 'one bounce in four mails')
  await happen(16, 'accepted')
  await happen(3, 'hard_bounce')
  t.match(await bucket(), { status: 'healthy', warning: /^Hard bounces 20% of 20 mails/ })
  t.match(await mailer.readSetup(), [
    { severity: 'warn', items: [{ label: 'acme.test, marketing', severity: 'warn' }] }
  ])
  await happen(80, 'accepted')
  await trip()
  t.match(await mailer.readSetup(), [{ severity: 'error', items: [{ severity: 'error' }] }])
})

test('the aggregate counts everything and never trips by itself', async (t) => {
  const { happen, health } = await open(t)
  for (const senderDomain of ['a.test', 'b.test', 'c.test']) {
    await happen(4, 'accepted', { senderDomain })
    await happen(1, 'hard_bounce', { senderDomain })
  }
  t.match(await health(), {
    status: 'healthy',
    counters: { sent: 12, hardBounced: 3 },
    rates: { hardBounceRate: 0.25 },
    aggregate: { status: 'healthy', senderDomain: null, kind: null }
  })
})

test('evidence of another plugin trips a bucket without mail, and once', async (t) => {
  const { breaker, bucket, hold, call, mailer, health } = await open(t)
  const evidence = {
    senderDomain: 'Acme.test',
    kind: 'marketing',
    by: 'postmaster',
    reason: 'Spam rate 0.4% at Gmail.',
    evidenceId: 'postmaster:acme.test:2026-11-20'
  } as const
  t.same(await breaker().trip(evidence), { isNew: true })
  t.same(await breaker().trip(evidence), { isNew: false })
  t.match(await bucket(), { status: 'tripped', trippedReason: evidence.reason })
  t.match(mailer.callsOf('audit'), [[{ actor: 'system:postmaster', action: 'health.trip' }]])
  t.match(await hold(), { message: 'Held: Spam rate 0.4% at Gmail.' })
  await call('POST', '/health/resume', {})
  t.same(await breaker().trip(evidence), { isNew: false }, 'an operator has judged it')
  t.equal((await bucket()).status, 'healthy')
  t.same(await breaker().trip({ ...evidence, evidenceId: 'postmaster:acme.test:2026-11-21' }), {
    isNew: true
  })
  t.equal((await breaker().health()).status, (await health()).status)
  await t.rejects(breaker().trip({ ...evidence, reason: '' }), { code: 'CBR_EVIDENCE_INVALID' })
})

test('an operator gets one mail for a trip, where an address is set', async (t) => {
  const { trip, mailer } = await open(t, { alertEmail: 'ops@acme.test' })
  await trip()
  await mailer.tick()
  t.match(mailer.callsOf('notify'), [
    [
      {
        to: 'ops@acme.test',
        subject: 'The circuit breaker tripped for marketing mail from acme.test'
      }
    ]
  ])
})
