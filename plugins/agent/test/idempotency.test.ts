// Idempotency-Key: the same answer for a day, also after a crash; another request or one in flight is refused.
import { test } from 'tap'
import { decideReplay, requestHash } from '../idempotency/decide-replay.ts'
import { agentApp, receipt, TOKEN } from './agent-app.ts'

const withKey = (key: string) => ({
  authorization: `Bearer ${TOKEN}`,
  'idempotency-key': key
})

async function sendingApp(t: Parameters<typeof agentApp>[0]) {
  const app = await agentApp(t)
  await app.call('PUT', '/templates/receipt', receipt())
  const send = (body: object, key: string) =>
    app.call('POST', '/templates/receipt/send', body, withKey(key))
  return { ...app, send }
}

test('a replayed key gets the same answer, and the mail goes out once', async (t) => {
  const { send, provider } = await sendingApp(t)
  const first = await send({ contactId: 't1', vars: { a: 1, b: 2 } }, 'key-1')
  t.equal(first.status, 201)
  const again = await send({ vars: { b: 2, a: 1 }, contactId: 't1' }, 'key-1')
  t.same([again.status, again.body], [201, first.body])
  t.match(again.headers, { 'idempotent-replayed': 'true' })
  t.equal(provider.sent.length, 1)
})

test('a key with another body, or another address, is refused', async (t) => {
  const { send, call, provider } = await sendingApp(t)
  await send({ contactId: 't1' }, 'key-1')
  const refusal = { status: 409, body: { error: 'idempotency_key_reused', fix: String } }
  t.match(await send({ contactId: 't2' }, 'key-1'), refusal)
  t.match(await call('POST', '/tick', { contactId: 't1' }, withKey('key-1')), refusal)
  t.equal(provider.sent.length, 1)
})

test('two requests with one key at the same moment are carried out once', async (t) => {
  const { send, provider } = await sendingApp(t)
  const answers = await Promise.all([1, 2, 3].map(() => send({ contactId: 't1' }, 'key-1')))
  const done = answers.filter(({ status }) => status === 201)
  t.ok(done.length >= 1)
  for (const { status, body } of answers) {
    if (status !== 201) t.match([status, body], [409, { error: 'idempotency_in_flight' }])
  }
  t.equal(provider.sent.length, 1)
})

test('after a crash the request is carried out again when its lease is over, and mails once', async (t) => {
  const { send, db, provider, clock } = await sendingApp(t)
  const first = await send({ contactId: 't1' }, 'key-1')
  // As a process leaves it that dies before it answers.
  const { matchedCount } = await db
    .collection('agent_answers')
    .updateOne({}, { $set: { state: 'running' }, $unset: { body: 1, status: 1 } })
  t.equal(matchedCount, 1)
  const early = await send({ contactId: 't1' }, 'key-1')
  t.match(early, { status: 409, headers: { 'retry-after': /^\d+$/ } })
  await clock.advance(121_000)
  const again = await send({ contactId: 't1' }, 'key-1')
  t.equal(again.status, 201)
  t.equal(again.body.sendId, first.body.sendId)
  t.equal(provider.sent.length, 1)
})

test('the admin API takes keys too; each caller has keys apart', async (t) => {
  const second = 'a-second-token-of-the-tests'
  const tokens = [
    { token: TOKEN, actor: 'agent:test' },
    { token: second, actor: 'agent:other' }
  ]
  const { call } = await agentApp(t, { tokens })
  const draft = { slug: 'a', name: 'A', kind: 'marketing' }
  const create = (headers: Readonly<Record<string, string>>) =>
    call('POST', '/api/templates', draft, headers)
  t.equal((await create(withKey('k'))).status, 201)
  t.equal((await create(withKey('k'))).status, 201)
  const other = { ...withKey('k'), authorization: `Bearer ${second}` }
  t.match(await create(other), { status: 409, body: { error: 'slug_taken' } })
})

test('a refusal of the moment is not kept, and a key that cannot be used is refused', async (t) => {
  const { call } = await agentApp(t)
  const send = () => call('POST', '/templates/a/send', { contactId: 'p1' }, withKey('k'))
  t.equal((await send()).status, 403)
  t.equal((await send()).headers['idempotent-replayed' as never], undefined)
  t.match(await call('POST', '/tick', {}, withKey('x'.repeat(256))), {
    status: 400,
    body: { error: 'idempotency_key_invalid' }
  })
})

test('a day later a key is new', async (t) => {
  const at = new Date('2030-01-01T00:00:00Z')
  const request = requestHash('POST', '/tick', {})
  const row = { _id: 'a', request, at, state: 'done', lease: 'l', leaseUntil: at } as const
  const after = (ms: number) => new Date(at.getTime() + ms)
  t.equal(decideReplay(row, request, after(86_399_999)), 'replay')
  t.equal(decideReplay(row, request, after(86_400_000)), 'run')
  t.equal(decideReplay(row, 'another', after(1)), 'reused')
})
