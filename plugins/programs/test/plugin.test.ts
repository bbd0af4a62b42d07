// Programs on a host of the kernel, beside a stand-in of the mailer: what they take from other plugins, and offer them.
import { createMailerStandIn, type GivenMailer } from '@keelson/mailer/testing'
import { definePlugin, type Host, systemActor } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { type FactsAdapter, programFacts, programSubjects } from '../contracts.ts'
import programs from '../plugin.ts'
import type { ProgramRunRow } from '../storage/program-rows.ts'

const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada', email: 'ada@acme.test' }
const definition = {
  trigger: { eventName: 'account.opened' },
  actions: [
    {
      id: 'invite',
      templateSlug: 'news',
      priority: 1,
      satisfied: { fact: 'seats', atLeast: 2 },
      attempts: { max: 2 }
    }
  ]
}

/** A host whose accounts have seats and one owner each, and a program that is on. */
async function open(t: Test, core: GivenMailer = {}) {
  const seats = new Map<string, number>()
  const facts: FactsAdapter = {
    facts: { seats: 'number' },
    resolve: async (ids) => new Map(ids.map((id) => [id, { seats: seats.get(id) ?? 0 }])),
    recipients: async (ids) => new Map(ids.map((id) => [id, [`${id}-owner`]]))
  }
  const mailer = createMailerStandIn({ core })
  const found: { accounts?: Host } = {}
  const accounts = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'accounts',
      name: 'Accounts',
      version: '1.0.0',
      kernel: '*',
      description: 'Knows accounts.',
      license: 'MIT',
      provides: [programFacts.id],
      uses: [programSubjects.id]
    },
    register(host) {
      host.provide(programFacts, facts)
      found.accounts = host
    }
  })
  const host = await createTestHost({
    plugin: programs,
    plugins: [mailer.plugin, accounts],
    config: { adminTenants: ['acme'], decisionRetentionDays: 30 },
    viewer: admin
  })
  t.teardown(() => host.close())
  const { published } = mailer.campaignMail
  published.set('news', { slug: 'news', version: 1, kind: 'marketing' })
  const call = async (method: 'GET' | 'POST', path: string, payload: object = {}) => {
    const url = `/admin/mailer/api/programs${path}`
    const reply = await host.app.inject({ method, url, ...(method === 'POST' && { payload }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '', { slug: 'grow', name: 'Grow', draft: definition })
  for (const act of ['publish', 'enable']) t.equal((await call('POST', `/grow/${act}`)).status, 200)
  const runs = host.db.collection<ProgramRunRow>('mailer_program_runs')
  const enter = async (subjectId: string) => {
    await call('POST', '/grow/enter', { subjectId })
    await host.clock.advance(1_000)
  }
  return { ...host, mailer, seats, call, runs, enter, accounts: found.accounts as Host }
}

test('the facts of a plugin decide, and what became of a mail spends the attempt', async (t) => {
  const { enter, mailer, seats, runs, clock, db } = await open(t)
  const { queued, states } = mailer.campaignMail
  await enter('a1')
  const [id = ''] = queued.keys()
  t.match(
    [...queued.values()],
    [
      {
        campaign: { kind: 'program', slug: 'grow', ref: { actionId: 'invite', subjectId: 'a1' } },
        templateSlug: 'news',
        externalId: 'a1-owner'
      }
    ]
  )
  t.match(await runs.findOne(), { inFlight: { actionId: 'invite', sendIds: [id] } })
  states.set(id, { kind: 'handed', at: clock.now() })
  seats.set('a1', 2)
  await clock.advance(20 * 60_000)
  t.match(await runs.findOne(), { status: 'completed', actions: { invite: { attempts: 1 } } })
  const decisions = db.collection('mailer_program_decisions')
  t.equal(await decisions.countDocuments({ expiresAt: { $exists: false } }), 0, 'they end')
})

test('a fact that the plugin does not declare keeps a program from being published', async (t) => {
  const { call } = await open(t)
  const [action] = definition.actions
  const wrong = { ...definition, actions: [{ ...action, satisfied: { fact: 'x', exists: true } }] }
  await call('POST', '', { slug: 'other', name: 'Other', draft: wrong })
  t.match(await call('POST', '/other/publish'), { status: 422, body: { error: 'invalid_program' } })
})

test('what an administrator does is audited with the change, and a run that ends cancels its mails', async (t) => {
  const { call, enter, mailer, runs } = await open(t)
  await enter('a1')
  const run = await runs.findOne()
  t.equal((await call('POST', `/grow/runs/${run?._id}/abort`)).status, 200)
  const [id = ''] = mailer.campaignMail.queued.keys()
  t.same(mailer.campaignMail.states.get(id), { kind: 'ended' })
  t.match(mailer.campaignMail.cancelled, [{ mails: { ids: [id] }, reason: 'run_inactive' }])
  t.match(mailer.callsOf('audit').at(-1), [{ action: 'program.run.abort', actor: /ada/ }])
})

test('another plugin erases a subject in the name of who acts', async (t) => {
  const allowed = { isAllowed: true }
  const { enter, accounts, runs, mailer } = await open(t, { admits: () => allowed.isAllowed })
  await enter('a1')
  const subjects = accounts.use(programSubjects).as(systemActor('accounts'))
  for (const id of ['', 'x'.repeat(257)])
    await t.rejects(subjects.forget(id), { code: 'PRG_SUBJECT_INVALID', status: 400 })
  allowed.isAllowed = false
  await t.rejects(subjects.forget('a1'), { code: 'MLR_ACTOR_FORBIDDEN' })
  t.equal(await runs.countDocuments(), 1)
  allowed.isAllowed = true
  await subjects.forget('a1')
  t.equal(await runs.countDocuments(), 0)
  t.match(mailer.callsOf('audit').at(-1), [{ action: 'program.subject.forget' }])
})
