// Mails of what a person let send: held while that person may no longer send.
import { type Actor, type Owner, ownerOf } from '@keelson/sdk'
import { type Test, test } from 'tap'
import type { MailerContext } from '../ledger/context.ts'
import type { SendRow } from '../ledger/send-row.ts'
import { testContext } from '../test/test-context.ts'
import { armFlow } from './flows/arm-flow.ts'
import { OWN_KINDS, ownerHolds, ownerProblem } from './owner-hold.ts'

const ada: Owner = { tenantId: 'acme', viewerRef: 'user:ada', name: 'human:ada', role: 'admin' }
const bob: Owner = { ...ada, viewerRef: 'user:bob', name: 'human:bob' }
const kinds = [
  ['broadcast', 'mailer.sendBroadcasts'],
  ['flow', 'mailer.publish']
] as const

/** Ada may no longer send. */
async function open(t: Test) {
  const { context } = await testContext(t)
  const asked: (readonly [Actor, string | undefined])[] = []
  const admits = async (actor: Actor, permission?: string) => {
    asked.push([actor, permission])
    return actor.viewerRef !== 'user:ada'
  }
  const { broadcasts, flows } = context.collections
  for (const collection of [broadcasts, flows])
    await collection.insertMany([
      { _id: 'a', slug: 'of-ada', owner: ada },
      { _id: 'b', slug: 'of-bob', owner: bob },
      { _id: 'c', slug: 'before' },
      { _id: 'd', slug: 'by-host', owner: null }
    ] as never)
  return { context: { ...context, admits } as MailerContext, asked }
}

function sendOf(kind: 'broadcast' | 'flow', slug: string): SendRow {
  const of = {
    broadcast: { broadcastSlug: slug },
    flow: { flowSlug: slug }
  }
  return { _id: `${kind} ${slug}`, ...of[kind] } as unknown as SendRow
}

for (const [kind, permission] of kinds)
  test(`mails of a ${kind} wait while the person who let it send may no longer send`, async (t) => {
    const { context, asked } = await open(t)
    const sends = ['of-ada', 'of-bob', 'before', 'by-host'].map((slug) => sendOf(kind, slug))
    const holds = await ownerHolds(context, sends)
    t.match(
      [...holds],
      [[`${kind} of-ada`, { error: 'owner_forbidden', message: /^human:ada let .* in your name/ }]]
    )
    t.equal(holds.size, 1)
    t.same(asked.map(([{ name, via }, wanted]) => [name, via, wanted]).sort(), [
      ['human:ada', `${kind}:of-ada`, permission],
      ['human:bob', `${kind}:of-bob`, permission],
      ['system:mailer', 'unowned-campaign', permission],
      ['system:mailer', 'unowned-campaign', permission]
    ])
  })

test('mails that no campaign sends ask for nothing', async (t) => {
  const { context, asked } = await open(t)
  t.equal((await ownerHolds(context, [{ _id: 's' } as SendRow])).size, 0)
  t.same(asked, [])
})

test('an owner is stored of a person, a token and a plugin, not of a name alone', async (t) => {
  const common = { tenantId: 'acme', name: 'n', via: 'session' }
  for (const who of [{ viewerRef: 'user:a' }, { token: 't' }, { system: 'shop' }])
    t.same(ownerOf({ ...common, ...who }), { tenantId: 'acme', name: 'n', ...who })
  t.equal(ownerOf({ ...common, via: 'host' }), undefined)
  const { context } = await open(t)
  t.equal(await ownerProblem(context, OWN_KINDS.flow, { slug: 'f', owner: null }), undefined)
})

test('arming an enabled flow takes it over only from a person who may no longer send', async (t) => {
  const { context } = await open(t)
  const { flows } = context.collections
  const trigger = { type: 'segment_enter', segmentDefinition: {}, once: true } as const
  await flows.updateMany({}, { $set: { enabled: true, version: 1, trigger } })
  const eve = { actor: 'human:eve', owner: { ...ada, viewerRef: 'user:eve', name: 'human:eve' } }
  for (const slug of ['of-ada', 'of-bob'])
    t.match(await armFlow(context, slug, eve), { ok: true, alreadyEnabled: true })
  const owners = await flows.find({ slug: /^of-/ }).sort({ slug: 1 }).toArray()
  t.match(owners, [{ owner: { name: 'human:eve' } }, { owner: { name: 'human:bob' } }])
})
