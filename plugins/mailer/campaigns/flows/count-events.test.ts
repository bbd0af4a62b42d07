// Which events there are, counted by name: one command, whatever their number.
import { test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { countEvents } from './count-events.ts'
import { createEventRegistry } from './event-registry.ts'

const DAY = 86_400_000

test('events of 150 names are counted with one command', async (t) => {
  const { context, commands } = await testContext(t)
  const now = context.clock.now().getTime()
  const ages = [0, 8, 40]
  const rows = Array.from({ length: 150 }, (_, at) => `event.${`${at}`.padStart(3, '0')}`).flatMap(
    (name) =>
      ages.map((days) => ({
        _id: `${name} ${days}`,
        dedupeKey: `${name} ${days}`,
        name,
        externalId: 'c1',
        occurredAt: new Date(now - days * DAY)
      }))
  )
  await context.collections.events.insertMany(rows as never[])
  const registry = createEventRegistry()
  registry.register({ name: 'event.001', dedupePolicy: 'every-time' })
  registry.register({ name: 'never.seen', dedupePolicy: 'every-time' })
  commands()
  const { registered, seen, stats } = await countEvents(context, registry)
  t.same(commands(), ['aggregate'])
  t.same([registered.length, seen.length, seen[0]], [2, 149, 'event.000'])
  t.same(stats['event.001'], {
    total: 3,
    last7d: 1,
    last30d: 2,
    firstAt: new Date(now - 40 * DAY),
    lastAt: new Date(now)
  })
  t.notOk('never.seen' in stats)
})

test('the count is answered by the index over names and times', async (t) => {
  const { context } = await testContext(t)
  const { events } = context.collections
  const plan = await events
    .aggregate([{ $match: { name: { $gt: '' } } }], { hint: { name: 1, occurredAt: -1 } })
    .explain()
  t.match(JSON.stringify(plan), /"indexName":"name_time"/)
})
