// The links that people clicked in a broadcast, when its mails left, and what these are answered by.
import { test } from 'tap'
import { findMailed, mailedStages } from '../../audience/segments/find-mailed.ts'
import { hourCounts } from '../../ledger/outcomes/count-hours.ts'
import { followOutcomes } from '../../ledger/outcomes/follow-outcomes.ts'
import { recorded } from '../../test/sent-mail.ts'
import { readBroadcast } from './read-broadcasts.ts'
import { clickedLinkStages, readReport } from './report-broadcast.ts'
import { openBench, people } from './test/broadcast-bench.ts'

test('links are counted by mails, those of people apart from those of machines', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { context } = bench
  await bench.schedule()
  await bench.drain()
  const { sends } = context.collections
  const at = context.clock.now()
  const click = (url: string, machine?: readonly string[]) => ({
    id: `${url}${machine}`,
    url,
    linkId: url,
    clickedAt: at,
    ...(machine && { machine })
  })
  const clicks = [
    [click('/sale'), click('/sale', ['burst'])],
    [click('/sale'), click('/help')],
    [click('/sale', ['burst'])]
  ]
  const ids = (await sends.find().sort({ externalId: 1 }).toArray()).map(({ _id }) => _id)
  for (const [index, clickedLinks] of clicks.entries()) {
    const _id = ids[index] ?? ''
    await sends.updateOne({ _id }, recorded({ firstClickAt: at, clickedLinks }))
  }
  const report = await readReport(context, 'cast')
  t.same(report?.links, [
    { url: '/sale', people: 2, machines: 1 },
    { url: '/help', people: 1, machines: 0 }
  ])
  t.equal(report?.isPartial, false)
  t.equal(await readReport(context, 'none'), null)
})

test('hours and minutes in which mails left are kept for each broadcast, and give its rate', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { context } = bench
  await bench.schedule({ recipientCap: 3 })
  await bench.drain()
  await followOutcomes(context, [hourCounts(context)])
  t.match(await readReport(context, 'cast'), { hours: [{ sent: 3 }] })
  bench.pass(60_000)
  t.match(await readBroadcast(context, 'cast'), {
    progress: {
      handed: 3,
      total: 4,
      perMinute: Number,
      waves: [{ size: 3, handed: 3 }, { size: 1 }]
    }
  })
})

test('links, and addresses that had mail, are answered by an index', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  const { context } = bench
  await bench.schedule()
  await bench.drain()
  const { sends } = context.collections
  const { _id } = await bench.read()
  for (const stages of [clickedLinkStages(_id), mailedStages(['c000@example.test'])]) {
    const plan = JSON.stringify(await sends.aggregate(stages).explain('queryPlanner'))
    t.match(plan, /IXSCAN/)
    t.notMatch(plan, /COLLSCAN/)
  }
  const asked = ['c000@example.test', 'c999@example.test']
  t.same([...(await findMailed(context, asked))], ['c000@example.test'])
})
