// Names by slug: read once for a whole answer, by the index of each slug.
import { test } from 'tap'
import { testContext } from '../test/test-context.ts'
import { auditMentions } from './audit/audit-mentions.ts'
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
    broadcasts: {},
    segments: {},
    categories: {},
    campaigns: {}
  })
  t.same(await withNames(context, rows), [
    { ...rows[0], names: { template: 'Monthly news', flow: 'Onboarding' } },
    { ...rows[1], names: {} },
    { ...rows[2], names: {} }
  ])
})

test('names are read by the index of the slug', async (t) => {
  const { context } = await testContext(t)
  const { templates, flows, broadcasts, segments } = context.collections
  for (const collection of [templates, flows, broadcasts, segments]) {
    const found = (collection as typeof templates).find({ slug: { $in: ['a', 'b'] } })
    t.match(JSON.stringify(await found.explain('queryPlanner')), /"indexName":"slug"/)
  }
})

test('categories have their label, and campaigns the name that their plugin gives', async (t) => {
  const asked: string[][] = []
  const source = {
    kind: 'program',
    permission: 'mailer.publish' as const,
    takeOver: 'Enable it again',
    owners: async () => new Map(),
    names: async (slugs: readonly string[]) => {
      asked.push([...slugs])
      return new Map([['activation', 'Activation']])
    }
  }
  const { context } = await testContext(t, {
    config: { categories: [{ id: 'news', label: 'Monthly news' }] },
    extensions: { campaigns: () => [source] }
  })
  const activation = { kind: 'program', slug: 'activation' }
  const rows = [
    { category: 'news', campaign: activation },
    { category: 'gone', campaign: activation },
    { campaign: { kind: 'other', slug: 'activation' } }
  ]
  const named = await withNames(context, rows)
  t.same(
    named.map(({ names }) => names),
    [{ category: 'Monthly news', campaign: 'Activation' }, { campaign: 'Activation' }, {}]
  )
  t.same(asked, [['activation']], 'once for all rows')
})

test('a campaign whose plugin fails keeps its slug', async (t) => {
  const source = {
    kind: 'program',
    permission: 'mailer.publish' as const,
    takeOver: 'Enable it again',
    owners: async () => new Map(),
    names: async () => {
      throw new Error('the database is away')
    }
  }
  const { context, logged } = await testContext(t, { extensions: { campaigns: () => [source] } })
  const rows = [{ campaign: { kind: 'program', slug: 'activation' } }]
  t.same((await withNames(context, rows))[0]?.names, {})
  t.match(logged, [{ level: 'warn', message: /names of campaigns/ }])
})

test('entries of the audit log are named by what they are about', async (t) => {
  const { context } = await testContext(t)
  const { flows, segments } = context.collections
  await flows.insertOne({ _id: 'f1', slug: 'start', name: 'Onboarding' } as never)
  await segments.insertOne({ _id: 's1', slug: 'start', name: 'New people' } as never)
  const entry = (collection: string, slug?: string) => ({
    action: 'x.change',
    resource: { collection, ...(slug !== undefined && { slug }) }
  })
  const rows = [
    entry(flows.collectionName, 'start'),
    entry(segments.collectionName, 'start'),
    entry('elsewhere', 'start'),
    entry(flows.collectionName)
  ]
  const named = await withNames(context, rows, auditMentions(context))
  t.same(
    named.map(({ names }) => names),
    [{ flow: 'Onboarding' }, { segment: 'New people' }, {}, {}]
  )
})
