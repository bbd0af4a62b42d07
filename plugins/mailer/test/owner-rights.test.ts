// The right of a person to send is lost between the day they set mail up and the day it leaves.
import { definePlugin, type KeelsonPlugin, type Viewer } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { type Test, test } from 'tap'
import { mailerTokenCheck } from '../contracts/mailer-token-check.ts'
import { ACME, around, platformMailer, publish } from './platform-mailer.ts'

const MINUTE = 60_000
const CAPE_VERDE = {
  externalId: 'c1',
  email: 'c1@example.test',
  tags: [],
  fields: {},
  timezone: 'Atlantic/Cape_Verde'
}
const BEA: Viewer = { ...ACME, viewerRef: 'user:b', email: 'b@acme.test' }

/** A platform with a directory of people, from which a test removes one. */
async function open(t: Test, more: readonly KeelsonPlugin[] = []) {
  const people = new Map([ACME, BEA].map((viewer) => [viewer.viewerRef, viewer]))
  const directory = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'directory',
      name: 'Directory',
      version: '1.0.0',
      kernel: '*',
      description: 'Knows people.',
      license: 'MIT',
      provides: [authViewer.id]
    },
    register(host) {
      host.provide(authViewer, {
        resolveViewer: () => null,
        loadViewer: (ref) => people.get(ref) ?? null
      })
    }
  })
  const platform = await platformMailer(t, { plugins: [directory, ...more], people: [CAPE_VERDE] })
  await publish(platform, { slug: 'news', kind: 'marketing' })
  await platform.acts.upsertSubscription({ externalId: 'c1', source: 'test' })
  const leaves = () => {
    people.delete(ACME.viewerRef)
    platform.signIn(BEA)
  }
  const sends = async () => (await platform.admin('GET', '/sends')).body
  return { ...platform, leaves, sends }
}

test('a scheduled broadcast pauses with a reason when the person who scheduled it has left', async (t) => {
  const { admin, clock, leaves, sends } = await open(t)
  const draft = {
    slug: 'cast',
    name: 'Cast',
    templateSlug: 'news',
    segmentDefinition: { filters: [] }
  }
  t.equal((await admin('POST', '/broadcasts', draft)).status, 201)
  const scheduledAt = new Date(clock.now().getTime() + 10 * MINUTE).toISOString()
  const schedule = { scheduledAt, confirmedCount: 1 }
  t.match(await admin('POST', '/broadcasts/cast/schedule', schedule), { status: 200 })
  leaves()
  await clock.advance(12 * MINUTE)
  t.match((await admin('GET', '/broadcasts/cast')).body, {
    status: 'paused',
    pauseReason: {
      by: 'owner',
      cause: 'owner_forbidden',
      message: /^human:a@acme\.test let the broadcast cast send/
    }
  })
  t.same(await sends(), [])
  t.match(await admin('POST', '/broadcasts/cast/resume', { confirmedCount: 1 }), { status: 200 })
  await clock.advance(2 * MINUTE)
  t.match(await sends(), [{ status: 'sent', broadcastSlug: 'cast' }])
})

test('runs of a flow stay where they are when the person who enabled it has left', async (t) => {
  const { admin, acts, mailer, clock, leaves, sends } = await open(t)
  await mailer.registerEvent({ name: 'opened', dedupePolicy: 'every-time' })
  const trigger = { type: 'event', eventName: 'opened', once: false }
  await admin('POST', '/flows', { slug: 'hello', name: 'Hello', trigger })
  const steps = [
    { type: 'tag', addTags: ['greeted'] },
    { type: 'send', templateSlug: 'news' }
  ]
  await admin('PATCH', '/flows/hello/draft', { steps })
  t.match(await admin('POST', '/flows/hello/publish', {}), { status: 200 })
  t.notOk('ownerProblem' in (await admin('GET', '/flows/hello')).body)
  await clock.advance(MINUTE)
  leaves()
  await acts.fire('opened', 'c1')
  await clock.advance(MINUTE)
  const message = /^human:a@acme\.test let the flow hello send/
  const hold = { cause: 'owner_forbidden', message }
  t.same(await sends(), [])
  t.match((await admin('GET', '/flows/hello/runs')).body, [{ status: 'active', path: '0', hold }])
  const { contact, activeRuns } = (await admin('GET', '/contacts/c1')).body
  t.match({ contact, activeRuns }, { contact: { tags: [] }, activeRuns: [{ hold }] })
  t.match((await admin('GET', '/flows/hello')).body, { ownerProblem: message })
  t.match(await admin('POST', '/flows/hello/resume'), { status: 200 })
  await clock.advance(3 * MINUTE)
  t.match(await sends(), [{ status: 'sent' }])
  const [run] = (await admin('GET', '/flows/hello/runs')).body
  t.match(run, { status: 'completed' })
  t.notOk('hold' in run)
})

test('a broadcast of a token that is revoked pauses, scheduled or sending', async (t) => {
  const valid = new Set(['agent:bot'])
  const robots = around('robots', [mailerTokenCheck.id], (host) =>
    host.extend(mailerTokenCheck, { mayAct: (token) => valid.has(token) })
  )
  const { admin, mailer, clock } = await open(t, [robots])
  const { broadcasts, sends } = mailer.getRunnerContext().collections
  const owner = { tenantId: '*', token: 'agent:bot', name: 'agent:bot' }
  const scheduled = async (slug: string, after: number, more: object = {}) => {
    const segmentDefinition = { filters: [] }
    const draft = { slug, name: slug, templateSlug: 'news', segmentDefinition, ...more }
    await admin('POST', '/broadcasts', draft)
    const scheduledAt = new Date(clock.now().getTime() + after).toISOString()
    const schedule = { scheduledAt, confirmedCount: 1 }
    t.match(await admin('POST', `/broadcasts/${slug}/schedule`, schedule), { status: 200 })
    await broadcasts.updateOne({ slug }, { $set: { owner } })
  }
  await scheduled('kept', MINUTE)
  await clock.advance(3 * MINUTE)
  t.match((await admin('GET', '/broadcasts/kept')).body, { status: 'sent' })
  // The clock of its recipient is an hour behind.
  await scheduled('sending', MINUTE, { respectRecipientTimezone: true })
  await scheduled('later', 4 * MINUTE)
  await clock.advance(3 * MINUTE)
  t.match((await admin('GET', '/broadcasts/sending')).body, { status: 'sending' })
  valid.clear()
  const dueAt = new Date(clock.now().getTime() + MINUTE)
  await sends.updateOne({ broadcastSlug: 'sending' }, { $set: { dueAt } })
  await clock.advance(3 * MINUTE)
  const pauseReason = { by: 'owner', message: /^agent:bot let the broadcast/ }
  for (const slug of ['sending', 'later'])
    t.match((await admin('GET', `/broadcasts/${slug}`)).body, { status: 'paused', pauseReason })
  t.equal(await sends.countDocuments({ status: 'sent', broadcastSlug: { $ne: 'kept' } }), 0)
})
