// Programs from publish to mail: each attempt once, whatever dies, and none that makes no sense any more.
import { type Test, test } from 'tap'
import { changeDraft, createTemplate } from '../../content/templates/edit-template.ts'
import { publishTemplate } from '../../content/templates/publish-template.ts'
import { queueSends } from '../../delivery/sends/queue-sends.ts'
import type { ProgramAction, ProgramDefinition } from '../../ledger/definition.ts'
import type { FactsAdapter } from '../../ledger/host-code.ts'
import type { MailerConfig } from '../../ledger/schema.ts'
import { createTestMailer } from '../../testing/create-test-mailer.ts'
import { programsOf } from './compose.ts'
import type { Facts } from './conditions.ts'
import { createProgramRunHandler } from './look-handler.ts'
import { measureProgram } from './measure-program.ts'
import {
  changeProgram,
  createProgram,
  disableProgram,
  enableProgram,
  listProgramVersions,
  publishProgram
} from './program-operations.ts'
import { recoverParkedRuns } from './recover-parked-runs.ts'
import {
  abortProgramRun,
  enterProgram,
  lookNow,
  readProgramRun,
  skipAction
} from './run-operations.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const acting = { actor: 'human:ada' }
const by = { by: { tenantId: '*', name: 'human:ada', via: 'host' } }

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

/** A mailer with accounts of two contacts each, and a published template. */
async function bench(
  t: Test,
  given: Partial<ProgramDefinition> = {},
  contactPolicy: MailerConfig['contactPolicy'] = undefined
) {
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
  const host = await createTestMailer({
    seedContacts,
    config: { factsAdapter, ...(contactPolicy && { contactPolicy }) }
  })
  t.teardown(() => host.stop())
  const { mailer, clock, provider, drain } = host
  const context = mailer.getRunnerContext()
  const programs = programsOf(context)
  for (const externalId of ids)
    await mailer.upsertSubscription({ externalId, source: 'test', consentTimestamp: new Date() })
  await createTemplate(context, { slug: 'news', name: 'News', kind: 'marketing' }, acting)
  const body = { html: '<p>Hi <a href="{{unsubscribeUrl}}">out</a></p>' }
  await changeDraft(context, 'news', { subject: 'Hi', ...body }, acting)
  await publishTemplate(context, 'news', acting)
  await createProgram(programs, { slug: 'grow', name: 'Grow', draft: definition(given) }, by)
  const published = await publishProgram(programs, 'grow', by)
  if (!published.ok) throw new Error(JSON.stringify(published))
  await enableProgram(programs, 'grow', by)
  await mailer.registerEvent({ name: 'account.opened', dedupePolicy: 'every-time' })
  const { sends, programRuns, programDecisions } = context.collections
  return {
    ...host,
    context,
    programs,
    facts,
    known,
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
  const { mailer, drain, facts, run, asked, mails, passAndDrain } = await bench(t)
  await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
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
    const { programs, mailer, context, drain, run, asked, facts } = await bench(t)
    await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
    await drain({ dispatch: false })
    const looked = await run()
    const { sends, programDecisions } = context.collections
    if (isMailLost) await sends.deleteMany({})
    // The run is as it was when it entered, and the facts have changed.
    const { inFlight: _lost, ...entered } = { ...looked, looks: 0, actions: {} }
    facts.set('a1', { invite: true })
    const handler = createProgramRunHandler(() => programs)
    const results = await handler.batch([{ item: entered, attempts: 2 }], {} as never)
    t.same(await asked(), ['invite queued'])
    const update = JSON.stringify(results.get(looked._id))
    t.match(update, /"actionId":"invite"/, 'it follows the decision that was made before')
    t.equal(await programDecisions.countDocuments(), 1)
  })
}

test('facts that cannot be read make runs wait, and mails as well', async (t) => {
  const { mailer, known, run, asked, drain, mails, passAndDrain } = await bench(t)
  await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
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
  const { programs, mailer, context, drain, asked, open, passAndDrain } = await bench(t)
  await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
  await drain({ dispatch: false })
  await disableProgram(programs, 'grow', by)
  t.same(await asked(), ['invite cancelled'])
  await open('a2')
  await passAndDrain(2 * DAY)
  t.same(await asked(), ['invite cancelled'])
  await enableProgram(programs, 'grow', by)
  await drain()
  await passAndDrain(2 * DAY)
  t.same((await asked()).slice(1).sort(), ['invite sent', 'pay sent'])
  t.equal(await context.collections.programRuns.countDocuments(), 1)
})

test('a run is entered by hand once, skipped and aborted, and all of it is audited', async (t) => {
  const { programs, context, drain, asked, run } = await bench(t)
  const entered = await enterProgram(programs, 'grow', { subjectId: 'a3' }, by)
  if (!entered.ok) throw new Error(entered.code)
  t.match(await enterProgram(programs, 'grow', { subjectId: 'a3' }, by), {
    code: 'already_entered'
  })
  t.match(await skipAction(programs, entered.runId, { actionId: 'invite' }, by), { ok: true })
  await drain({ dispatch: false })
  t.same(await asked(), ['pay queued'])
  t.match(await abortProgramRun(programs, entered.runId, by), { ok: true })
  await drain()
  t.same(await asked(), ['pay cancelled'])
  t.match(await run('a3'), { status: 'exited', exitReason: 'aborted' })
  t.match(await abortProgramRun(programs, entered.runId, by), { code: 'run_not_active' })
  const rows = await context.collections.auditLog.find({ action: /^program/ }).toArray()
  const actions = ['create', 'publish', 'enable', 'enter', 'run.skip', 'run.abort']
  t.same(rows.map((row) => row.action).sort(), actions.map((one) => `program.${one}`).sort())
})

test('a holdout gets no mail, and the statistics compare the arms', async (t) => {
  const { programs, open, facts, mails, passAndDrain } = await bench(t, { holdoutPct: 100 })
  await open()
  facts.set('a1', { invite: true, pay: true })
  await passAndDrain(DAY)
  t.equal(mails(), 0)
  t.match(await measureProgram(programs, 'grow'), {
    uplift: null,
    arms: {
      holdout: { entered: 1, completedRate: 1, actions: { invite: { satisfied: 1, attempts: 0 } } },
      treatment: { entered: 0, completedRate: null }
    }
  })
})

test('a draft with errors is not published, and a version is kept of each that was', async (t) => {
  const { programs } = await bench(t)
  const bad = { ...definition(), actions: [action('x', { templateSlug: 'missing' })] }
  await createProgram(programs, { slug: 'bad', name: 'Bad', draft: bad }, by)
  t.match(await publishProgram(programs, 'bad', by), {
    code: 'invalid_program',
    issues: [{ path: 'actions.x.templateSlug' }]
  })
  await createProgram(programs, { slug: 'empty', name: 'Empty' }, by)
  t.match(await publishProgram(programs, 'empty', by), { code: 'no_draft' })
  t.match(await enableProgram(programs, 'bad', by), { code: 'not_published' })
  t.match(await listProgramVersions(programs, 'grow'), [{ version: 1 }])
})

test('a program without changes makes no version, and a draft that is what runs is not stored', async (t) => {
  const { programs } = await bench(t)
  const unchanged = { ok: true, program: { version: 1, draft: null } }
  t.match(await publishProgram(programs, 'grow', by), unchanged)
  t.match(await changeProgram(programs, 'grow', { draft: definition() }, by), unchanged)
  await changeProgram(programs, 'grow', { draft: definition({ policy: { minGapDays: 1 } }) }, by)
  const published = await publishProgram(programs, 'grow', by)
  t.match(published, { ok: true, program: { version: 2, draft: null } })
  t.match(await listProgramVersions(programs, 'grow'), [{ version: 2 }, { version: 1 }])
})

test('without a facts adapter contacts are the subjects, and an erasure ends their runs', async (t) => {
  const { programs, context, mailer } = await bench(t)
  const handler = createProgramRunHandler(() => ({ ...programs, facts: undefined }))
  const entered = await enterProgram(programs, 'grow', { subjectId: 'a2-owner' }, by)
  const found = await readProgramRun(programs, entered.ok ? entered.runId : '')
  if (found === null) throw new Error('no run')
  await handler.batch([{ item: found.run, attempts: 1 }], {} as never)
  const send = await context.collections.sends.findOne({ externalId: 'a2-owner' })
  t.match(send?.campaign, { slug: 'grow', ref: { actionId: 'invite', subjectId: 'a2-owner' } })
  t.equal(await lookNow(programs, { programSlug: 'grow' }), 1)
  await mailer.forget('a2-owner')
  t.equal(await readProgramRun(programs, found.run._id).then((one) => one), null)
  t.equal(await context.collections.programDecisions.countDocuments(), 0)
})

test('a run that every worker died on ends where people see it', async (t) => {
  const { programs, context, open, run } = await bench(t)
  await open()
  const parked = { state: 'parked', parkedAt: new Date() } as const
  await context.collections.programRuns.updateOne({}, { $set: parked, $unset: { dueAt: 1 } })
  await recoverParkedRuns(programs)
  t.match(await run(), { status: 'exited', exitReason: 'workers_lost', state: 'done' })
})

test('mail of programs goes last where the contact policy lets only one leave', async (t) => {
  const { mailer, context, drain, asked } = await bench(t, {}, { minGapHours: 24 })
  await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
  await drain({ dispatch: false })
  await queueSends(context, [
    {
      dedupeKey: 'broadcast:b:a1-owner',
      lane: 'bulk',
      externalId: 'a1-owner',
      kind: 'marketing',
      templateSlug: 'news'
    }
  ])
  await drain()
  t.same(await asked(), ['invite deferred'])
})

test('every read of programs, runs and decisions has its index', async (t) => {
  const { context } = await bench(t)
  const { programs, programRuns, programDecisions, programVersions, sends } = context.collections
  const newest = { enteredAt: -1, _id: -1 } as const
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    ['slug', programs.find({ slug: 'grow' })],
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
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
