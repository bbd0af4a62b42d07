// List hygiene beside a stand-in for the mailer: the route, the job, the tag, interruptions.
import type { MailerCore, MailOutcome, Subscriber } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { openLeases } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import type { HygieneSettings } from '../config.ts'
import plugin from '../plugin.ts'
import type { HygieneReport } from '../report/report.ts'

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const DAY_MS = 86_400_000

async function open(
  t: Test,
  { config = {}, core = {} }: { config?: HygieneSettings; core?: Partial<MailerCore> } = {}
) {
  const mailer = createMailerStandIn({ core })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: { adminTenants: ['acme'], ...config }
  })
  t.teardown(() => host.close())
  const ago = (days: number) => new Date(host.clock.now().getTime() - days * DAY_MS)
  const subscribe = (externalId: string, fields: Partial<Subscriber> = {}) =>
    mailer.subscribers.push({
      externalId,
      status: 'subscribed',
      subscribedAt: ago(400),
      firstSentAt: ago(300),
      lastEngagedAt: null,
      ...fields
    })
  const happen = (externalId: string, ...types: MailOutcome['type'][]) =>
    mailer.outcomes.push(
      ...types.map((type) => ({ type, externalId, occurredAt: host.clock.now() }) as MailOutcome)
    )
  const read = async (query = ''): Promise<HygieneReport> => {
    const answer = await host.app.inject(`/admin/mailer/api/hygiene${query}`)
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const rows = () => host.db.collection<{ _id: string }>('list_hygiene_contacts')
  return { host, mailer, ago, subscribe, happen, read, rows }
}

test('the first read computes; later ones show the report until it is refreshed', async (t) => {
  const { subscribe, happen, read, ago } = await open(t)
  subscribe('a')
  subscribe('b', { lastEngagedAt: ago(40) })
  happen('a', 'accepted', 'accepted', 'hard_bounce', 'open')
  happen('b', 'accepted', 'soft_bounce', 'complaint')
  const first = await read()
  t.match(first, {
    totalSubscribers: 2,
    totalWithSends: 2,
    sunsetCandidate: {
      count: 1,
      pctOfTotal: 50,
      cohortLifetime: { totalSends: 2, bouncedRate: 0.5, hardBouncedRate: 0.5, complaintRate: 0 },
      projectedImpact: {
        recentTotalSends: 3,
        recentBounced: 2,
        recentComplained: 1,
        cohortRecentSends: 2,
        cohortRecentBounced: 1
      }
    }
  })
  subscribe('c')
  t.same(await read(), first)
  t.equal((await read('?refresh=1')).totalSubscribers, 3)
  t.equal((await read()).totalSubscribers, 3)
})

test('the job keeps the report fresh, and outcomes count once', async (t) => {
  const { host, subscribe, happen, read } = await open(t)
  subscribe('a')
  happen('a', 'accepted')
  for (let round = 0; round < 3; round++) await host.clock.advance(16 * 60_000)
  t.match((await read()).sunsetCandidate.cohortLifetime, { totalSends: 1 })
})

test('a candidate gets the tag, and loses it with the first engagement or with the setting', async (t) => {
  const { mailer, subscribe, read, ago } = await open(t, { config: { sunsetTag: 'sunset' } })
  subscribe('a')
  subscribe('b', { lastEngagedAt: ago(3) })
  await read()
  await read('?refresh=1')
  t.same(mailer.callsOf('tag'), [['a', 'sunset']])
  const [first] = mailer.subscribers
  if (first) mailer.subscribers[0] = { ...first, lastEngagedAt: ago(0) }
  await read('?refresh=1')
  await read('?refresh=1')
  t.same(mailer.callsOf('untag'), [['a', 'sunset']])
})

test('without the setting no contact is tagged', async (t) => {
  const { mailer, subscribe, read } = await open(t)
  subscribe('a')
  await read()
  t.same(mailer.callsOf('tag'), [])
})

test('a long walk that is interrupted goes on where it was, and counts each contact once', async (t) => {
  const asked: string[] = []
  const list: Subscriber[] = []
  const core: Partial<MailerCore> = {
    async subscribers({ after = '', limit = 0 } = {}) {
      asked.push(after)
      if (asked.length === 2) throw new Error('The database is away.')
      return list.filter(({ externalId }) => externalId > after).slice(0, limit)
    }
  }
  const { mailer, subscribe, happen, read, host } = await open(t, { core })
  for (let at = 0; at < 2500; at++) subscribe(`c${1000 + at}`)
  list.push(...mailer.subscribers)
  for (let at = 0; at < 50; at++) happen(`c${1000 + at * 50}`, 'accepted')
  t.equal((await host.app.inject('/admin/mailer/api/hygiene')).statusCode, 500)
  t.match(await read('?refresh=1'), {
    totalSubscribers: 2500,
    sunsetCandidate: { count: 2500, cohortLifetime: { totalSends: 50 } }
  })
  t.same(asked, ['', 'c1999', 'c1999', 'c2999'])
})

test('counts of contacts without a subscription go 90 days after their last mail', async (t) => {
  const { host, mailer, ago, read, rows } = await open(t)
  const occurredAt = ago(89)
  mailer.outcomes.push({ type: 'accepted', externalId: 'gone', occurredAt } as MailOutcome)
  t.match(await read(), { sunsetCandidate: { projectedImpact: { recentTotalSends: 1 } } })
  t.equal(await rows().countDocuments(), 1)
  await host.clock.skip(DAY_MS)
  t.match(await read('?refresh=1'), { sunsetCandidate: { projectedImpact: null } })
  t.equal(await rows().countDocuments(), 0)
})

test('while the first report is not finished, the answer is to ask again, never zeros', async (t) => {
  const { subscribe, host } = await open(t)
  subscribe('a')
  const lease = openLeases({ db: host.db, clock: host.clock, owner: 'list-hygiene' })
  const walked = await lease('walk', { seconds: 60 }, () =>
    host.app.inject('/admin/mailer/api/hygiene')
  )
  if (!walked.held) throw new Error('it is held')
  const answer = walked.value
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { error: 'report_pending', code: 'LHG_REPORT_PENDING' })
  t.equal(answer.headers['retry-after'], '60')
})

test('what is refused because of the sender or the message is not a bounce of the contact', async (t) => {
  const { mailer, host, subscribe, happen, read } = await open(t)
  subscribe('a')
  happen('a', 'accepted', 'accepted', 'accepted')
  const occurredAt = host.clock.now()
  const classes = ['block', 'policy', 'content', 'routing', 'mailbox_full', 'unknown'] as const
  for (const bounceClass of classes) {
    const bounced = { type: 'soft_bounce', externalId: 'a', occurredAt, bounceClass }
    mailer.outcomes.push(bounced as MailOutcome)
  }
  const report = await read()
  t.match(report.sunsetCandidate.projectedImpact, { recentTotalSends: 3, recentBounced: 2 })
})
