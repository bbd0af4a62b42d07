// The story is the same for a seed, ordered, and inside its range.
import { test } from 'tap'
import { chanceFrom } from './random.ts'
import { tellStory } from './story.ts'

const options = {
  from: new Date('2026-03-02T00:00:00Z'),
  to: new Date('2026-03-03T00:00:00Z'),
  visitorsPerHour: 20,
  userPrefix: 's-'
}

test('one seed tells one story', async (t) => {
  t.same(tellStory(chanceFrom(7), options), tellStory(chanceFrom(7), options))
})

test('another seed tells another story', async (t) => {
  const ids = (seed: number) => tellStory(chanceFrom(seed), options).map(({ _id }) => _id)
  t.notSame(ids(7), ids(8))
})

test('every record lies inside the range and they come in order', async (t) => {
  const times = tellStory(chanceFrom(7), options).map(({ occurredAt }) => occurredAt)
  t.ok(times.length > 500, `${times.length} records`)
  t.same(times, [...times].sort())
  t.ok(times.every((at) => at >= options.from.toISOString() && at < options.to.toISOString()))
})

test('a day has visits, sign-ups, orders and errors', async (t) => {
  const names = new Set(tellStory(chanceFrom(7), options).map(({ name }) => name))
  for (const name of [
    'page.viewed',
    'account.signed_up',
    'order.placed',
    'app.error',
    'llm.tokens'
  ]) {
    t.ok(names.has(name), name)
  }
})
