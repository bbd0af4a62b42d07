// Programs from publish to mail: each attempt once, whatever dies, and none that makes no sense any more.
import { type Test, test } from 'tap'
import { changeDraft, createTemplate } from '../../content/templates/edit-template.ts'
import { publishTemplate } from '../../content/templates/publish-template.ts'
import { queueSends } from '../../delivery/sends/queue-sends.ts'
import type { ProgramAction, ProgramDefinition } from '../../ledger/definition.ts'
import type { FactsAdapter } from '../../ledger/host-code.ts'
import type { MailerConfig } from '../../ledger/schema.ts'
import { createTestMailer } from '../../testing/create-test-mailer.ts'
import { recoverParkedRuns } from '../flows/recover-parked-runs.ts'
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
  for (const externalId of ids)
    await mailer.upsertSubscription({ externalId, source: 'test', consentTimestamp: new Date() })
  await createTemplate(context, { slug: 'news', name: 'News', kind: 'marketing' }, acting)
  const body = { html: '<p>Hi <a href="{{unsubscribeUrl}}">out</a></p>' }
  await changeDraft(context, 'news', { subject: 'Hi', ...body }, acting)
  await publishTemplate(context, 'news', acting)
  await createProgram(context, { slug: 'grow', name: 'Grow', draft: definition(given) }, acting)
  const published = await publishProgram(context, 'grow', acting)
  if (!published.ok) throw new Error(JSON.stringify(published))
  await enableProgram(context, 'grow', acting)
  await mailer.registerEvent({ name: 'account.opened', dedupePolicy: 'every-time' })
  const { sends, programRuns, programDecisions } = context.collections
  return {
    ...host,
    context,
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
        .find({ program: { $exists: true } })
        .sort({ queuedAt: 1 })
        .toArray()
      return rows.map(({ program, status }) => `${program?.actionId} ${status}`)
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
    const { mailer, context, drain, run, asked, facts } = await bench(t)
    await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
    await drain({ dispatch: false })
    const looked = await run()
    const { sends, programDecisions } = context.collections
    if (isMailLost) await sends.deleteMany({})
    // The run is as it was when it entered, and the facts have changed.
    const { inFlight: _lost, ...entered } = { ...looked, looks: 0, actions: {} }
    facts.set('a1', { invite: true })
    const handler = createProgramRunHandler(context)
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
  const { mailer, context, drain, asked, open, passAndDrain } = await bench(t)
  await mailer.fire('account.opened', 'a1-owner', { account: 'a1' })
  await drain({ dispatch: false })
  await disableProgram(context, 'grow', acting)
  t.same(await asked(), ['invite cancelled'])
  await open('a2')
  await passAndDrain(2 * DAY)
  t.same(await asked(), ['invite cancelled'])
  await enableProgram(context, 'grow', acting)
  await drain()
  await passAndDrain(2 * DAY)
  t.same((await asked()).slice(1).sort(), ['invite sent', 'pay sent'])
  t.equal(await context.collections.programRuns.countDocuments(), 1)
})

test('a run is entered by hand once, skipped and aborted, and all of it is audited', async (t) => {
  const { context, drain, asked, run } = await bench(t)
  const entered = await enterProgram(context, 'grow', { subjectId: 'a3' }, acting)
  if (!entered.ok) throw new Error(entered.code)
  t.match(await enterProgram(context, 'grow', { subjectId: 'a3' }, acting), {
    code: 'already_entered'
  })
  t.match(await skipAction(context, entered.runId, { actionId: 'invite' }, acting), { ok: true })
  await drain({ dispatch: false })
  t.same(await asked(), ['pay queued'])
  t.match(await abortProgramRun(context, entered.runId, acting), { ok: true })
  await drain()
  t.same(await asked(), ['pay cancelled'])
  t.match(await run('a3'), { status: 'exited', exitReason: 'aborted' })
  t.match(await abortProgramRun(context, entered.runId, acting), { code: 'run_not_active' })
  const rows = await context.collections.auditLog.find({ action: /^program/ }).toArray()
  const actions = ['create', 'publish', 'enable', 'enter', 'run.skip', 'run.abort']
  t.same(rows.map((row) => row.action).sort(), actions.map((one) => `program.${one}`).sort())
})

test('a holdout gets no mail, and the statistics compare the arms', async (t) => {
  const { context, open, facts, mails, passAndDrain } = await bench(t, { holdoutPct: 100 })
  await open()
  facts.set('a1', { invite: true, pay: true })
  await passAndDrain(DAY)
  t.equal(mails(), 0)
  t.match(await measureProgram(context, 'grow'), {
    uplift: null,
    arms: {
      holdout: { entered: 1, completedRate: 1, actions: { invite: { satisfied: 1, attempts: 0 } } },
      treatment: { entered: 0, completedRate: null }
    }
  })
})

test('a draft with errors is not published, and a version is kept of each that was', async (t) => {
  const { context } = await bench(t)
  const bad = { ...definition(), actions: [action('x', { templateSlug: 'missing' })] }
  await createProgram(context, { slug: 'bad', name: 'Bad', draft: bad }, acting)
  t.match(await publishProgram(context, 'bad', acting), {
    code: 'invalid_program',
    issues: [{ path: 'actions.x.templateSlug' }]
  })
  await createProgram(context, { slug: 'empty', name: 'Empty' }, acting)
  t.match(await publishProgram(context, 'empty', acting), { code: 'no_draft' })
  t.match(await enableProgram(context, 'bad', acting), { code: 'not_published' })
  t.match(await listProgramVersions(context, 'grow'), [{ version: 1 }])
})

test('a program without changes makes no version, and a draft that is what runs is not stored', async (t) => {
  const { context } = await bench(t)
  const unchanged = { ok: true, program: { version: 1, draft: null } }
  t.match(await publishProgram(context, 'grow', acting), unchanged)
  t.match(await changeProgram(context, 'grow', { draft: definition() }, acting), unchanged)
  await changeProgram(context, 'grow', { draft: definition({ policy: { minGapDays: 1 } }) }, acting)
  const published = await publishProgram(context, 'grow', acting)
  t.match(published, { ok: true, program: { version: 2, draft: null } })
  t.match(await listProgramVersions(context, 'grow'), [{ version: 2 }, { version: 1 }])
})

test('without a facts adapter contacts are the subjects, and an erasure ends their runs', async (t) => {
  const { context, mailer } = await bench(t)
  const { factsAdapter: _none, ...config } = context.config
  const plain = { ...context, config } as typeof context
  const handler = createProgramRunHandler(plain)
  const entered = await enterProgram(context, 'grow', { subjectId: 'a2-owner' }, acting)
  const found = await readProgramRun(context, entered.ok ? entered.runId : '')
  if (found === null) throw new Error('no run')
  await handler.batch([{ item: found.run, attempts: 1 }], {} as never)
  const send = await context.collections.sends.findOne({ externalId: 'a2-owner' })
  t.match(send?.program, { actionId: 'invite', subjectId: 'a2-owner' })
  t.equal(await lookNow(context, { programSlug: 'grow' }), 1)
  await mailer.forget('a2-owner')
  t.equal(await readProgramRun(context, found.run._id).then((one) => one), null)
  t.equal(await context.collections.programDecisions.countDocuments(), 0)
})

test('a run that every worker died on ends where people see it', async (t) => {
  const { context, open, run } = await bench(t)
  await open()
  const parked = { state: 'parked', parkedAt: new Date() } as const
  await context.collections.programRuns.updateOne({}, { $set: parked, $unset: { dueAt: 1 } })
  await recoverParkedRuns(context)
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
    ['program', sends.find({ 'program.slug': 'grow', handoff: { $in: ['queued', 'held'] } })]
  ]
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
