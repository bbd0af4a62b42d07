// Tags: where they are written, and that everything that reads contacts sees them.
import { test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { createMemoryAdapter } from './memory-adapter.ts'
import { changeTags, tag, untag, withTags } from './tags.ts'

const contacts = ['ann', 'bob'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: ['own'],
  fields: {}
}))
const readOnly = () => createMemoryAdapter(contacts, { writableTags: false })

test('tags go through an adapter that writes them', async (t) => {
  const adapter = createMemoryAdapter(contacts)
  const { context } = await testContext(t, { adapter })
  await tag(context, 'ann', 'vip')
  t.same(adapter.byId.get('ann')?.tags, ['own', 'vip'])
  await changeTags(context, 'ann', { add: ['new'], remove: ['vip', 'own'] })
  t.same(adapter.byId.get('ann')?.tags, ['new'])
  t.equal(await context.collections.contactTags.countDocuments(), 0)
})

test('tags of a read-only adapter are kept beside it, each once', async (t) => {
  const { context } = await testContext(t, { adapter: readOnly() })
  await Promise.all([tag(context, 'ann', 'vip'), tag(context, 'ann', 'vip')])
  t.match(await context.collections.contactTags.find().toArray(), [
    { externalId: 'ann', tag: 'vip' }
  ])
  await untag(context, 'ann', 'vip')
  t.equal(await context.collections.contactTags.countDocuments(), 0)
})

test('contacts get their kept tags in one query, in the same order', async (t) => {
  const { context, commands } = await testContext(t, { adapter: readOnly() })
  await changeTags(context, 'bob', { add: ['vip', 'own'], remove: [] })
  commands()
  const tagged = await withTags(context, contacts)
  t.same(commands(), ['find'])
  t.same(
    tagged.map(({ externalId, tags }) => [externalId, [...tags].sort()]),
    [
      ['ann', ['own']],
      ['bob', ['own', 'vip']]
    ]
  )
})

test('ids and tags over their limits are refused', async (t) => {
  const { context } = await testContext(t, { adapter: readOnly() })
  await t.rejects(tag(context, 'x'.repeat(257), 'vip'), { code: 'MLR_INPUT_INVALID' })
  await t.rejects(tag(context, 'ann', 'x'.repeat(129)), { code: 'MLR_INPUT_INVALID' })
  await t.rejects(tag(context, 'ann', { $gt: '' } as unknown as string), {
    code: 'MLR_INPUT_INVALID'
  })
  t.equal(await context.collections.contactTags.countDocuments(), 0)
})
