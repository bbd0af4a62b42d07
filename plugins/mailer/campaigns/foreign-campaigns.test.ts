// Mails of campaigns that another plugin runs: queued once, judged by their plugin, held for their owner.
import { type Actor, type Owner, systemActor } from '@keelson/sdk'
import { type Test, test } from 'tap'
import type { CampaignMail } from '../contracts/mailer-campaign-mail.ts'
import type { CampaignSource } from '../contracts/mailer-campaigns.ts'
import { recordingSends } from '../test/recording-sends.ts'
import type { TestContextOptions } from '../test/test-context.ts'
import { createCampaignMailer } from './campaign-mailer.ts'

const ada: Owner = { tenantId: 'acme', viewerRef: 'user:ada', name: 'human:ada', role: 'admin' }
const plugin = systemActor('surveys')
const campaign = { kind: 'survey', slug: 'june', ref: { questionId: 'q1' } }
const mail = (externalId: string, more: Partial<CampaignMail> = {}): CampaignMail => ({
  campaign,
  key: `june:${externalId}`,
  templateSlug: 'notice',
  externalId,
  ...more
})

/** A mailer beside a plugin whose campaigns are surveys. */
async function open(
  t: Test,
  given: Partial<CampaignSource> = {},
  options: Partial<TestContextOptions> = {}
) {
  const source: CampaignSource = {
    kind: 'survey',
    permission: 'mailer.publish',
    takeOver: 'Open it again',
    owners: async (slugs) => new Map(slugs.map((slug) => [slug, null])),
    ...given
  }
  const opened = await recordingSends(t, { extensions: { campaigns: () => [source] }, ...options })
  const mailer = createCampaignMailer(opened.context)
  return { ...opened, mailer, mails: mailer.as(plugin) }
}

test('mails of a campaign have fixed ids, are queued once, and go through the pipeline', async (t) => {
  const { mailer, mails, run, sent, rowOf } = await open(t)
  const id = mailer.mailId('survey', 'june:c1')
  t.same(await mails.queue([mail('c1'), mail('c2')]), { added: 2, unpublished: [] })
  t.same(await mails.queue([mail('c1', { templateSlug: 'welcome' })]), {
    added: 0,
    unpublished: ['welcome']
  })
  t.same((await mailer.mailStates([id, 'f'.repeat(24)])).get(id), { kind: 'waiting' })
  await run()
  t.same(sent.map(({ to }) => to).sort(), ['c1@example.test', 'c2@example.test'])
  t.match(await rowOf('c1'), { _id: id, kind: 'transactional', campaign })
  const states = await mailer.mailStates([id, 'f'.repeat(24)])
  t.match([...states], [[id, { kind: 'handed', at: Date }]])
})

test('mails and reasons that are not of the form are refused by their place', async (t) => {
  const { mails } = await open(t)
  const wrong: readonly (readonly [Partial<CampaignMail>, RegExp])[] = [
    [{ id: 'mine' }, /0\/?\.?id/],
    [{ key: 'x'.repeat(401) }, /key/],
    [{ campaign: { kind: 'quiz', slug: 'june' } }, /kind is of no plugin/],
    [{ campaign: { ...campaign, ref: { answer: 'x'.repeat(257) } } }, /ref/],
    [{ vars: { text: 'x'.repeat(70_000) } }, /64 kB/]
  ]
  for (const [more, message] of wrong)
    await t.rejects(mails.queue([mail('c1', more)]), { code: 'MLR_INPUT_INVALID', message })
  await t.rejects(mails.cancel({ kind: 'survey', slug: 'june' }, 'No more'), {
    code: 'MLR_INPUT_INVALID'
  })
})

test('cancelling ends the mails of one campaign, or some of its kind, and no others', async (t) => {
  const { mailer, mails, context } = await open(t)
  const other = { ...campaign, slug: 'july' }
  await mails.queue([mail('c1'), mail('c2'), mail('c3', { campaign: other, key: 'july:c3' })])
  const ids = [mailer.mailId('survey', 'june:c1')]
  t.same(await mails.cancel({ kind: 'quiz', ids }, 'closed'), { cancelled: 0 })
  t.same(await mails.cancel({ kind: 'survey', ids }, 'closed'), { cancelled: 1 })
  t.same(await mails.cancel({ kind: 'survey', slug: 'june' }, 'closed'), { cancelled: 1 })
  const rows = await context.collections.sends.find().sort({ externalId: 1 }).toArray()
  t.same(
    rows.map(({ externalId, status, exitReason }) => [externalId, status, exitReason]),
    [
      ['c1', 'cancelled', 'closed'],
      ['c2', 'cancelled', 'closed'],
      ['c3', 'queued', undefined]
    ]
  )
  t.same((await mailer.mailStates(ids)).get(ids[0] ?? ''), { kind: 'ended' })
})

test('a transaction that fails leaves no mail and no audit entry', async (t) => {
  const { mailer, context } = await open(t)
  const person: Actor = { ...ada, via: 'session' }
  const failing = context.withTransaction(async (session) => {
    await mailer.as(person).queue([mail('c1')], { session })
    throw new Error('the change is refused')
  })
  await t.rejects(failing, { message: 'the change is refused' })
  const { sends, auditLog } = context.collections
  t.same([await sends.countDocuments(), await auditLog.countDocuments()], [0, 0])
  await mailer.as(person).queue([mail('c1')])
  t.match(await auditLog.find().toArray(), [
    { actor: 'human:ada', action: 'mailer.campaign.queue', after: { slug: 'june', added: 1 } }
  ])
})

test('who may not send queues and cancels nothing', async (t) => {
  const { context } = await open(t)
  const refusing = createCampaignMailer({ ...context, admits: async () => false }).as(plugin)
  const refused = { code: 'MLR_ACTOR_FORBIDDEN' }
  await t.rejects(refusing.queue([mail('c1')]), refused)
  await t.rejects(refusing.cancel({ kind: 'survey', slug: 'june' }, 'closed'), refused)
})

test('a mail that its plugin stops does not leave, and the others do', async (t) => {
  const asked: unknown[] = []
  const { mailer, mails, run, sent, rowOf } = await open(t, {
    async stops(given) {
      asked.push(...given.map(({ externalId, campaign: of }) => [externalId, of]))
      const stopped = given.filter(({ externalId }) => externalId === 'c1')
      const stop = { reason: 'answered', message: 'The contact has answered.' }
      return new Map(stopped.map(({ sendId }) => [sendId, stop]))
    }
  })
  await mails.queue([mail('c1'), mail('c2')])
  await run()
  t.same(asked.sort(), [
    ['c1', campaign],
    ['c2', campaign]
  ])
  t.same(
    sent.map(({ to }) => to),
    ['c2@example.test']
  )
  t.match(await rowOf('c1'), { status: 'cancelled', exitReason: 'answered' })
  const id = mailer.mailId('survey', 'june:c1')
  t.same((await mailer.mailStates([id])).get(id), { kind: 'ended' })
})

test('mails wait while their plugin fails, and mails of the mailer do not', async (t) => {
  const known = { isDown: true }
  const { mails, run, sent, rowOf, pass } = await open(t, {
    async stops() {
      if (known.isDown) throw new Error('the answers are away')
      return new Map()
    }
  })
  await mails.queue([mail('c1')])
  await run()
  t.match(await rowOf('c1'), { status: 'failed', errorMessage: /the answers are away/ })
  known.isDown = false
  pass(3_600_000)
  await run()
  t.equal(sent.length, 1)
})

const holds: readonly (readonly [string, Partial<CampaignSource>, RegExp])[] = [
  [
    'whose owner may no longer send',
    { owners: async () => new Map([['june', ada]]) },
    /^human:ada let the survey june send and may no longer do so\. Open it again/
  ],
  ['that its plugin does not know', { owners: async () => new Map() }, /does not know it/],
  [
    'whose owner cannot be read',
    { owners: () => Promise.reject(new Error('the database is away')) },
    /the database is away/
  ]
]
for (const [which, source, message] of holds) {
  test(`mails of a campaign ${which} are held, and the reason can be read`, async (t) => {
    const { context, mails, run, sent, rowOf, mailer } = await open(t, source)
    const asked: unknown[] = []
    Object.assign(context, {
      admits: async (actor: Actor, permission?: string) => {
        asked.push([actor.via, permission])
        return actor.viewerRef !== 'user:ada'
      }
    })
    await mails.queue([mail('c1')])
    await run()
    t.equal(sent.length, 0)
    t.match(await rowOf('c1'), { status: 'held', hold: { message } })
    t.match(await mailer.ownerProblem({ kind: 'survey', slug: 'june' }), message)
    if (which.startsWith('whose owner may'))
      t.match(asked.at(-1), ['survey:june', 'mailer.publish'])
  })
}

test('mails of a kind without a plugin are held', async (t) => {
  const { context, mails, run, sent, rowOf } = await open(t)
  await mails.queue([mail('c1')])
  Object.assign(context.extensions, { campaigns: () => [] })
  await run()
  t.equal(sent.length, 0)
  t.match(await rowOf('c1'), { status: 'held', hold: { cause: 'campaign_unanswered' } })
})

test('the mails of a campaign are found by an index', async (t) => {
  const { context } = await open(t)
  const query = { 'campaign.kind': 'survey', 'campaign.slug': 'june' }
  const handoff = { $in: ['queued', 'held'] as const }
  const found = context.collections.sends.find({ ...query, handoff: handoff as never })
  t.match(JSON.stringify(await found.explain('queryPlanner')), /"indexName":"campaign"/)
})
