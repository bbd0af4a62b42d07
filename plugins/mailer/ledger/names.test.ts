// Names by slug: read once for a whole answer, by the index of each slug.
import { test } from 'tap'
import { testContext } from '../test/test-context.ts'
import { readNames, withNames } from './names.ts'

test('rows have the names of what they mention, and nothing for what was deleted', async (t) => {
  const { context } = await testContext(t)
  const { templates, flows } = context.collections
  await templates.insertOne({ _id: 't1', slug: 'news', name: 'Monthly news' } as never)
  await flows.insertOne({ _id: 'f1', slug: 'start', name: 'Onboarding' } as never)
  const rows = [
    { templateSlug: 'news', flowSlug: 'start' },
    { templateSlug: 'gone', broadcastSlug: 'gone' },
    { templateSlug: '' }
  ]
  t.same(await readNames(context, rows), {
    templates: { news: 'Monthly news' },
    flows: { start: 'Onboarding' },
    broadcasts: {}
  })
  t.same(await withNames(context, rows), [
    { ...rows[0], names: { template: 'Monthly news', flow: 'Onboarding' } },
    { ...rows[1], names: {} },
    { ...rows[2], names: {} }
  ])
})

test('names are read by the index of the slug', async (t) => {
  const { context } = await testContext(t)
  const { templates, flows, broadcasts } = context.collections
  for (const collection of [templates, flows, broadcasts]) {
    const found = (collection as typeof templates).find({ slug: { $in: ['a', 'b'] } })
    t.match(JSON.stringify(await found.explain('queryPlanner')), /"indexName":"slug"/)
  }
})
