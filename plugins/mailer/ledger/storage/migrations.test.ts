// Rows of earlier versions, in the form that this one reads.
import { type Test, test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { migrations } from './migrations.ts'

/** A mailer's context, and the host that its migrations run on. */
async function open(t: Test) {
  const { context, db } = await testContext(t)
  const { log, clock, withTransaction } = context
  const collection = (name: string) => db.collection(name) as never
  return { context, host: { id: 'mailer', log, clock, collection, withTransaction } }
}

test('mails of broadcasts of an earlier version get an arm, and others stay as they are', async (t) => {
  const { context, host } = await open(t)
  const { sends } = context.collections
  await sends.insertMany([
    { _id: 's1', dedupeKey: '1', broadcastId: 'b' },
    { _id: 's2', dedupeKey: '2', broadcastId: 'b', arm: 'A' },
    { _id: 's3', dedupeKey: '3' }
  ] as never)
  for (const _again of [1, 2]) await migrations['arms-of-sends'](host)
  t.same(
    (await sends.find().sort({ _id: 1 }).toArray()).map(({ arm }) => arm),
    ['', 'A', undefined]
  )
})

test('mails of an earlier version say the domain of their address, and those without one stay as they are', async (t) => {
  const { context, host } = await open(t)
  const { sends } = context.collections
  await sends.insertMany([
    { _id: 's1', dedupeKey: '1', emailAtSend: 'ann@example.test' },
    { _id: 's2', dedupeKey: '2', emailAtSend: null },
    { _id: 's3', dedupeKey: '3', emailAtSend: 'bob@kept.test', toDomain: 'kept.test' }
  ] as never)
  for (const _again of [1, 2]) await migrations['domains-of-sends'](host)
  t.same(
    (await sends.find().sort({ _id: 1 }).toArray()).map(({ toDomain }) => toDomain),
    ['example.test', undefined, 'kept.test']
  )
})

test('mails of programs of an earlier version say their campaign, and others stay as they are', async (t) => {
  const { context, host } = await open(t)
  const { sends } = context.collections
  const program = { slug: 'grow', runId: 'r1', actionId: 'invite', subjectId: 'a1' }
  await sends.insertMany([
    { _id: 's1', dedupeKey: 'program:r1:0:c1', program },
    { _id: 's2', dedupeKey: 'oneoff:k' }
  ] as never)
  for (const _again of [1, 2]) await migrations['campaigns-of-sends'](host)
  t.same(await sends.find().sort({ _id: 1 }).toArray(), [
    {
      _id: 's1',
      dedupeKey: 'program:r1:0:c1',
      campaign: {
        kind: 'program',
        slug: 'grow',
        ref: { runId: 'r1', actionId: 'invite', subjectId: 'a1' }
      }
    },
    { _id: 's2', dedupeKey: 'oneoff:k' }
  ])
})
