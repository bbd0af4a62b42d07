// Programs beside a real mailer, from publish to mail: each attempt once, whatever dies, and none that makes no sense any more.
import type { MailerConfig } from '@keelson/mailer'
import {
  type Facts,
  forgetSubject,
  type ProgramAction,
  type ProgramDefinition
} from '@keelson/programs'
import type { FactsAdapter } from '@keelson/programs/contracts'
import { type Test, test } from 'tap'
import { openPrograms } from './programs-bench.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const action = (id: string, more: Partial<ProgramAction> = {}): ProgramAction => ({
  id,
  templateSlug: 'news',
  priority: 0,
  satisfied: { fact: id, equals: true },
  attempts: { max: 2, gapDays: 3 },
  ...more
})
const definition = (more: Partial<ProgramDefinition> = {}): ProgramDefinition => ({
  trigger: { eventName: 'account.opened', subjectProperty: 'account' },
  actions: [action('invite', { priority: 1 }), action('pay')],
  ...more
})

interface BenchOptions {
  readonly given?: Partial<ProgramDefinition>
  readonly contactPolicy?: MailerConfig['contactPolicy']
  /** Default: accounts have facts and one owner each. */
  readonly withoutFacts?: boolean
}

/** A mailer with accounts of one owner each, a published template, and a program that is on. */
async function bench(t: Test, { given, contactPolicy, withoutFacts }: BenchOptions = {}) {
  const facts = new Map<string, Facts>()
  const known: { isDown?: boolean } = {}
  const factsAdapter: FactsAdapter = {
    async resolve(ids) {
      if (known.isDown) throw new Error('the facts are away')
      return new Map(ids.map((id) => [id, facts.get(id) ?? {}]))
    },
    recipients: async (ids) => new Map(ids.map((id) => [id, [`${id}-owner`]]))
  }
  const ids = ['a1', 'a2', 'a3'].map((account) => `${account}-owner`)
  const seedContacts = ids.map((externalId) => ({
    externalId,
    email: `${externalId}@example.test`,
    tags: [],
    fields: {}
  }))
  const config = {
    ...(withoutFacts !== true && { factsAdapter }),
    ...(contactPolicy && { contactPolicy })
  }
  const host = await openPrograms(t, { seedContacts, config })
  const { mailer, clock, provider, drain, call, publish } = host
  for (const externalId of ids)
    await mailer.upsertSubscription({ externalId, source: 'test', consentTimestamp: new Date() })
  await publish('news', 'marketing')
  await call('POST', '/programs', { slug: 'grow', name: 'Grow', draft: definition(given) })
  for (const act of ['publish', 'enable']) {
    const { status, body } = await call('POST', `/programs/grow/${act}`, {})
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  await mailer.registerEvent({ name: 'account.opened', dedupePolicy: 'every-time' })
  const { sends, programRuns, programDecisions } = mailer.collections
  return {
    ...host,
    facts,
    known,
    fire: (account = 'a1') => mailer.fire('account.opened', `${account}-owner`, { account }),
    async open(account = 'a1') {
      await mailer.fire('account.opened', `${account}-owner`, { account })
      await drain()
    },
    async passAndDrain(ms: number) {
      await clock.advance(ms)
      await drain()
    },
    run: async (subjectId = 'a1') => {
      const found = await programRuns.findOne({ subjectId })
      if (found === null) throw new Error(`no run of ${subjectId}`)
      return found
    },
    asked: async () => {
      const rows = await sends
        .find({ campaign: { $exists: true } })
        .sort({ queuedAt: 1 })
        .toArray()
      return rows.map(({ campaign, status }) => `${campaign?.ref?.['actionId']} ${status}`)
    },
    mails: () => provider.sent.length,
    decisions: () => programDecisions.find().sort({ at: 1, _id: 1 }).toArray()
  }
}

test('an event enters the account once, and its owner is asked for the next best action', async (t) => {
  const { open, run, asked, mails, passAndDrain, decisions } = await bench(t)
  await open()
  await open()
  t.same(await asked(), ['invite sent'])
  await passAndDrain(HOUR)
  t.match(await run(), { status: 'active', actions: { invite: { attempts: 1 } } })
  t.same(await asked(), ['invite sent', 'pay sent'])
  t.equal(mails(), 2)
  const kinds = (await decisions()).map(({ kind, reason }) => `${kind} ${reason}`)
  t.same(kinds.slice(0, 2), ['send next_best', 'send next_best'])
})

test('what the host knows decides, and the run completes', async (t) => {
  const { open, facts, run, asked, passAndDrain } = await bench(t)
  facts.set('a1', { invite: true })
  await open()
  t.same(await asked(), ['pay sent'])
  facts.set('a1', { pay: true })
  await passAndDrain(DAY)
  t.match(await run(), { status: 'completed', actions: { invite: { status: 'satisfied' } } })
})

test('a mail whose action was satisfied while it waited is cancelled, and spends no attempt', async (t) => {
  const { fire, drain, facts, run, asked, mails, passAndDrain } = await bench(t)
  await fire()
  await drain({ dispatch: false })
  t.same(await asked(), ['invite queued'])
  facts.set('a1', { invite: true })
  await drain()
  t.same([await asked(), mails()], [['invite cancelled'], 0])
  await passAndDrain(HOUR)
  t.match(await run(), { actions: { invite: { status: 'satisfied', attempts: 0 } } })
})

test('a suppressed owner spends no attempt', async (t) => {
  const { mailer, open, run, asked, passAndDrain } = await bench(t)
  await mailer.unsubscribe('a1-owner@example.test', { scope: 'marketing' })
  await open()
  t.same(await asked(), ['invite suppressed'])
  await passAndDrain(HOUR)
  t.match(await run(), { actions: { invite: { attempts: 0, misses: 1 } } })
})

const deaths = [
  ['before its result', false],
  ['before its mail is queued', true]
] as const
for (const [when, isMailLost] of deaths) {
  test(`a look whose process dies ${when} asks for one thing, once`, async (t) => {
    const { fire, mailer, drain, run, asked, facts, clock } = await bench(t)
    await fire()
    await drain({ dispatch: false })
    const { sends, programDecisions, programRuns } = mailer.collections
    if (isMailLost) await sends.deleteMany({})
    // The run is as it was when it entered, and the facts have changed.
    const entered = { looks: 0, actions: {}, state: 'due' as const, dueAt: clock.now() }
    await programRuns.updateOne({}, { $set: entered, $unset: { inFlight: '' } })
    facts.set('a1', { invite: true })
    await drain({ dispatch: false })
    t.same(await asked(), ['invite queued'])
    t.match(await run(), { inFlight: { actionId: 'invite' } }, 'it follows the earlier decision')
    t.equal(await programDecisions.countDocuments(), 1)
  })
}

test('facts that cannot be read make runs wait, and mails as well', async (t) => {
  const { fire, known, run, asked, drain, mails, passAndDrain } = await bench(t)
  await fire()
  await drain({ dispatch: false })
  known.isDown = true
  await drain()
  t.same([await asked(), mails()], [['invite failed'], 0])
  known.isDown = false
  await passAndDrain(HOUR)
  t.same(mails(), 1)
  t.match(await run(), { status: 'active' })
})

test('disabling a program cancels what waits; enabling it goes on', async (t) => {
  const { fire, mailer, call, drain, asked, open, passAndDrain } = await bench(t)
  await fire()
  await drain({ dispatch: false })
  await call('POST', '/programs/grow/disable')
  t.same(await asked(), ['invite cancelled'])
  await open('a2')
  await passAndDrain(2 * DAY)
  t.same(await asked(), ['invite cancelled'])
  await call('POST', '/programs/grow/enable')
  await drain()
  await passAndDrain(2 * DAY)
  t.same((await asked()).slice(1).sort(), ['invite sent', 'pay sent'])
  t.equal(await mailer.collections.programRuns.countDocuments(), 1)
})

test('a run is entered by hand once, skipped and aborted, and all of it is audited', async (t) => {
  const { call, drain, asked, run, mailer } = await bench(t)
  const enter = () => call('POST', '/programs/grow/enter', { subjectId: 'a3' })
  const { body } = await enter()
  t.match(await enter(), { status: 409, body: { error: 'already_entered' } })
  const path = `/programs/grow/runs/${body.runId}`
  t.equal((await call('POST', `${path}/skip`, { actionId: 'invite' })).status, 200)
  await drain({ dispatch: false })
  t.same(await asked(), ['pay queued'])
  t.equal((await call('POST', `${path}/abort`)).status, 200)
  await drain()
  t.same(await asked(), ['pay cancelled'])
  t.match(await run('a3'), { status: 'exited', exitReason: 'aborted' })
  t.match(await call('POST', `${path}/abort`), { status: 409, body: { error: 'run_not_active' } })
  const rows = await mailer.collections.auditLog.find({ action: /^program/ }).toArray()
  const actions = ['create', 'publish', 'enable', 'enter', 'run.skip', 'run.abort']
  t.same(rows.map((row) => row.action).sort(), actions.map((one) => `program.${one}`).sort())
  t.same([...new Set(rows.map(({ actor }) => actor))], ['human:ada'])
})

test('a holdout gets no mail, and the statistics compare the arms', async (t) => {
  const { call, open, facts, mails, passAndDrain } = await bench(t, { given: { holdoutPct: 100 } })
  await open()
  facts.set('a1', { invite: true, pay: true })
  await passAndDrain(DAY)
  t.equal(mails(), 0)
  t.match((await call('GET', '/programs/grow/stats')).body, {
    uplift: null,
    arms: {
      holdout: { entered: 1, completedRate: 1, actions: { invite: { satisfied: 1, attempts: 0 } } },
      treatment: { entered: 0, completedRate: null }
    }
  })
})

test('a draft with errors is not published, and a version is kept of each that was', async (t) => {
  const { call } = await bench(t)
  const bad = { ...definition(), actions: [action('x', { templateSlug: 'missing' })] }
  await call('POST', '/programs', { slug: 'bad', name: 'Bad', draft: bad })
  t.match((await call('POST', '/programs/bad/publish')).body, {
    error: 'invalid_program',
    issues: [{ path: 'actions.x.templateSlug' }]
  })
  await call('POST', '/programs', { slug: 'empty', name: 'Empty' })
  t.match((await call('POST', '/programs/empty/publish')).body, { error: 'no_draft' })
  t.match((await call('POST', '/programs/bad/enable')).body, { error: 'not_published' })
  t.match((await call('GET', '/programs/grow/versions')).body, [{ version: 1 }])
})

test('a program without changes makes no version, and a draft that is what runs is not stored', async (t) => {
  const { call } = await bench(t)
  const unchanged = { version: 1, draft: null }
  const change = (draft: object) => call('PATCH', '/programs/grow', { draft })
  t.match((await call('POST', '/programs/grow/publish')).body, unchanged)
  t.match((await change(definition())).body, unchanged)
  await change(definition({ policy: { minGapDays: 1 } }))
  t.match((await call('POST', '/programs/grow/publish')).body, { version: 2, draft: null })
  const { body } = await call('GET', '/programs/grow/versions')
  t.match(body, [{ version: 2 }, { version: 1 }])
})

test('without a facts adapter contacts are the subjects, and an erasure ends their runs', async (t) => {
  const { call, drain, mailer } = await bench(t, { withoutFacts: true })
  const { body } = await call('POST', '/programs/grow/enter', { subjectId: 'a2-owner' })
  await drain({ dispatch: false })
  const { sends, programRuns, programDecisions } = mailer.collections
  const send = await sends.findOne({ externalId: 'a2-owner' })
  t.match(send?.campaign, { slug: 'grow', ref: { actionId: 'invite', subjectId: 'a2-owner' } })
  t.match(await mailer.exportContactData('a2-owner'), {
    programs: { runs: [{ subjectId: 'a2-owner' }], decisions: [{ kind: 'send' }] }
  })
  await mailer.forget('a2-owner')
  t.equal((await call('GET', `/programs/grow/runs/${body.runId}`)).status, 404)
  t.same([await programRuns.countDocuments(), await programDecisions.countDocuments()], [0, 0])
})

test('another subject is erased by the host, with its runs and decisions', async (t) => {
  const { open, mailer } = await bench(t)
  await open()
  await forgetSubject(mailer, 'a1')
  const { programRuns, programDecisions } = mailer.collections
  t.same([await programRuns.countDocuments(), await programDecisions.countDocuments()], [0, 0])
})

test('a template that a program sends is not deleted while it may send it', async (t) => {
  const { call } = await bench(t)
  t.match(await call('DELETE', '/templates/news'), {
    status: 409,
    body: { error: 'template_in_use', uses: [{ kind: 'program', slug: 'grow' }] }
  })
  await call('POST', '/programs/grow/disable')
  t.equal((await call('DELETE', '/templates/news')).status, 200)
})

test('a run that every worker died on ends where people see it', async (t) => {
  const { mailer, open, run, passAndDrain } = await bench(t)
  await open()
  const parked = { state: 'parked', parkedAt: new Date() } as const
  const unset = { dueAt: 1 } as never
  await mailer.collections.programRuns.updateOne({}, { $set: parked, $unset: unset })
  await passAndDrain(61_000)
  t.match(await run(), { status: 'exited', exitReason: 'workers_lost', state: 'done' })
})

test('mail of programs goes last where the contact policy lets only one leave', async (t) => {
  const { fire, mailer, drain, asked } = await bench(t, { contactPolicy: { minGapHours: 24 } })
  await fire()
  await drain({ dispatch: false })
  const mail = { templateSlug: 'news', externalId: 'a1-owner', dedupeKey: 'k' }
  await mailer.sendOneOff(mail)
  await drain()
  t.same(await asked(), ['invite deferred'])
})

test('every read of programs, runs and decisions has its index', async (t) => {
  const { mailer } = await bench(t)
  const { programs, programRuns, programDecisions, programVersions, sends } = mailer.collections
  const newest = { enteredAt: -1, _id: -1 } as const
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    ['slug', programs.find({ slug: 'grow' })],
    ['template', programs.find({ 'definition.actions.templateSlug': 'news' }).sort({ _id: 1 })],
    ['enabled_trigger', programs.find({ enabled: true, 'definition.trigger.eventName': 'x' })],
    ['updated', programs.find().sort({ updatedAt: -1, _id: 1 })],
    ['program_version', programVersions.find({ programId: 'p' }).sort({ version: -1 })],
    ['program_time', programRuns.find({ programSlug: 'grow' }).sort(newest)],
    ['program_status', programRuns.find({ programSlug: 'grow', status: 'active' }).sort(newest)],
    ['program_arm', programRuns.find({ programSlug: 'grow', arm: 'holdout' }).sort(newest)],
    ['active', programRuns.find({ programId: 'p', status: 'active' })],
    ['subject', programRuns.find({ subjectId: 'a1' })],
    ['parked', programRuns.find({ parkedAt: { $exists: true }, status: 'active' })],
    ['run_time', programDecisions.find({ runId: 'r' }).sort({ at: -1, _id: -1 })],
    ['subject', programDecisions.find({ subjectId: 'a1' })],
    [
      'campaign',
      sends.find({
        'campaign.kind': 'program',
        'campaign.slug': 'grow',
        handoff: { $in: ['queued', 'held'] }
      })
    ]
  ]
  const group = { _id: { of: '$programId', status: '$status', arm: '$arm' }, count: { $sum: 1 } }
  const counting = [{ $match: { programId: { $in: ['p'] } } }, { $group: group }]
  const counted = JSON.stringify(await programRuns.aggregate(counting).explain('queryPlanner'))
  t.match(counted, /"indexName":"active"/)
  t.notMatch(counted, /"stage":"(COLLSCAN|FETCH)"/, 'the list reads its results from the index')
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
