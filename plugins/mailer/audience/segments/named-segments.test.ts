// Segments with names: made once, used by many.
import { test } from 'tap'
import { openAdmin } from '../../test/open-admin.ts'

const people = ['a', 'b', 'c'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: externalId === 'c' ? [] : ['vip'],
  fields: {}
}))
const vips = { filters: [{ kind: 'hasTag', tag: 'vip' }] }
const byName = { filters: [{ kind: 'segment', slug: 'vips' }] }
const open = async (t: Parameters<typeof openAdmin>[0]) => {
  const admin = await openAdmin(t, undefined, people)
  await admin.call('POST', '/segments', { slug: 'vips', name: 'VIPs', segmentDefinition: vips })
  return admin
}
const count = async ({ call }: Awaited<ReturnType<typeof open>>, definition: object) =>
  (await call('POST', '/segments/count', { segmentDefinition: definition })).body

test('a named segment selects as its filters do, alone, in groups and when it changed', async (t) => {
  const admin = await open(t)
  t.match(await count(admin, byName), { matched: 2 })
  const others = { filters: [{ kind: 'not', filter: byName.filters[0] }] }
  t.match(await count(admin, others), { matched: 1 })
  const segmentDefinition = { filters: [] }
  const changed = await admin.call('PATCH', '/segments/vips', { segmentDefinition })
  t.match(changed.body, { revision: 1, name: 'VIPs' })
  t.match(await count(admin, byName), { matched: 3 })
  t.match((await admin.call('GET', '/segments')).body, [{ slug: 'vips' }])
})

test('an unknown name, a name in a named segment and a taken slug are refused', async (t) => {
  const admin = await open(t)
  const unknown = { filters: [{ kind: 'segment', slug: 'none' }] }
  const counted = await admin.call('POST', '/segments/count', { segmentDefinition: unknown })
  t.match(counted, { status: 400, body: { message: /The segment none was not found/ } })
  const nested = { slug: 'nested', name: 'Nested', segmentDefinition: byName }
  t.match(await admin.call('POST', '/segments', nested), { status: 400 })
  const again = { slug: 'vips', name: 'Again', segmentDefinition: vips }
  t.match(await admin.call('POST', '/segments', again), { body: { error: 'slug_taken' } })
})

test('two editors never overwrite a segment silently', async (t) => {
  const { call } = await open(t)
  const first = { 'if-match': '"0"' }
  t.match(await call('PATCH', '/segments/vips', { name: 'One' }, first), { status: 200 })
  t.match(await call('PATCH', '/segments/vips', { name: 'Two' }, first), {
    body: { error: 'draft_conflict' }
  })
})

test('a segment that a broadcast uses is not deleted', async (t) => {
  const { call } = await open(t)
  const template = { slug: 'news', name: 'News', kind: 'marketing' }
  await call('POST', '/templates', template)
  const broadcast = { slug: 'may', name: 'May', templateSlug: 'news', segmentDefinition: byName }
  t.match(await call('POST', '/broadcasts', broadcast), { status: 201 })
  t.match(await call('DELETE', '/segments/vips'), {
    body: { error: 'segment_in_use', message: 'The broadcast may uses the segment.' }
  })
  await call('DELETE', '/broadcasts/may')
  t.match(await call('DELETE', '/segments/vips'), { status: 200 })
  t.match(await call('POST', '/broadcasts', { ...broadcast, slug: 'june' }), {
    body: { error: 'invalid_segment' }
  })
})

test('the list names what uses a segment, in a group and in the draft of a flow as well', async (t) => {
  const { call } = await open(t)
  t.match((await call('GET', '/segments')).body, [{ slug: 'vips', usedBy: [] }])
  await call('POST', '/templates', { slug: 'news', name: 'News', kind: 'marketing' })
  const inGroup = { filters: [{ kind: 'any', filters: [byName.filters[0], vips.filters[0]] }] }
  const broadcast = { slug: 'may', name: 'May', templateSlug: 'news', segmentDefinition: inGroup }
  t.match(await call('POST', '/broadcasts', broadcast), { status: 201 })
  const trigger = { type: 'segment_enter', segmentDefinition: byName }
  await call('POST', '/flows', { slug: 'live', name: 'Live', trigger: { eventName: 'go' } })
  const steps = [{ type: 'tag', addTags: ['seen'] }]
  await call('PATCH', '/flows/live/draft', { steps })
  t.match(await call('POST', '/flows/live/publish', {}), { status: 200 })
  t.match(await call('PATCH', '/flows/live/draft', { trigger }), { status: 200 })
  t.match((await call('GET', '/segments')).body, [
    {
      usedBy: [
        { kind: 'broadcast', slug: 'may', name: 'May' },
        { kind: 'flow', slug: 'live', name: 'Live' }
      ]
    }
  ])
  await call('DELETE', '/broadcasts/may')
  t.match(await call('DELETE', '/segments/vips'), {
    body: { error: 'segment_in_use', message: 'The flow live uses the segment.' }
  })
})
