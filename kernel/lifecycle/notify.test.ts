// host.notify: what receivers get, what their answers mean, and what a tenant may send.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createLimiter,
  createNotify,
  defineErrors,
  type Notice,
  type NotifyFetch,
  newWebhookSecret,
  openLeases,
  type StoredLimit,
  webhookBody
} from '@keelson/sdk'
import { type Test, test } from 'tap'
import { openTestDatabase } from '../storage/testing/test-database.ts'

const refusals = defineErrors({
  TST_REFUSED: { message: 'It is refused.', remedy: 'Ask.', status: 403 }
})
const START = Date.UTC(2026, 2, 4, 10, 20, 0, 900)
const URL = 'https://hooks.example/in'

interface Seen {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** A sender whose receiver answers in turn: a status, or a status and Retry-After. */
async function open(t: Test) {
  const { db } = await openTestDatabase(t)
  let time = START
  const clock = { now: () => new Date(time) }
  const seen: Seen[] = []
  const answers: (readonly [number, string?] | Error)[] = []
  let busy = 0
  let most = 0
  const fetch: NotifyFetch = async (url, { method, headers, body }) => {
    seen.push({ url, method, headers, body })
    most = Math.max(most, ++busy)
    await sleep(1)
    busy--
    const answer = answers.shift() ?? [204]
    if (answer instanceof Error) throw answer
    const [status, retryAfter = null] = answer
    return { status, headers: { get: () => retryAfter }, body: null }
  }
  const limiter = createLimiter({ collection: db.collection<StoredLimit>('limits'), clock })
  const make = () => {
    const lease = openLeases({ db, clock, owner: 'shop' })
    return createNotify({ db, clock, owner: 'shop', fetch, lease, limit: limiter.limit })
  }
  const post = (id: string, more: Partial<Notice> = {}, secret?: string) =>
    notify({ id, webhook: { url: URL, secret, body: { id } }, ...more })
  const notify = make()
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  return { db, seen, answers, notify, make, post, pass, most: () => most }
}

test('a message is signed after Standard Webhooks, and each try has the same id', async (t) => {
  const { seen, answers, post } = await open(t)
  const secret = newWebhookSecret()
  answers.push([503])
  t.same(await post('m1', {}, secret), { state: 'again', problem: 'the webhook answered 503' })
  t.same(await post('m1', {}, secret), { state: 'sent', status: 204 })
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  t.equal(key.length, 32)
  const mac = createHmac('sha256', key).update('m1.1772619600.{"id":"m1"}').digest('base64')
  for (const { url, method, headers, body } of seen)
    t.match(
      [url, method, body, headers],
      [
        URL,
        'POST',
        '{"id":"m1"}',
        {
          'content-type': 'application/json',
          'idempotency-key': 'm1',
          'webhook-id': 'm1',
          'webhook-timestamp': '1772619600',
          'webhook-signature': `v1,${mac}`
        }
      ]
    )
})

test('without a secret there is no signature', async (t) => {
  const { seen, post } = await open(t)
  await post('m1')
  await post('m2', {}, '')
  t.notOk(seen.some(({ headers }) => 'webhook-signature' in headers))
})

for (const [retryAfter, seconds] of [
  ['120', 120],
  [new Date(START + 59_500).toUTCString(), 60],
  ['86400', 3_600]
] as const) {
  test(`Retry-After ${retryAfter} holds every message to the endpoint for ${seconds} s`, async (t) => {
    const { seen, answers, make, post, pass } = await open(t)
    answers.push([429, retryAfter])
    t.match(await post('m1'), { state: 'again', afterSeconds: seconds })
    const other = make()
    const next = { id: 'm2', webhook: { url: URL, body: {} } }
    t.match(await other(next), {
      state: 'again',
      problem: 'the webhook asked to wait',
      afterSeconds: seconds
    })
    t.equal(seen.length, 1, 'another process does not call it either')
    pass(seconds)
    t.match(await other(next), { state: 'sent' })
  })
}

for (const retryAfter of [undefined, '', 'soon', '-5', '0', 'Wed, 04 Mar 2020 10:20:00 GMT']) {
  test(`Retry-After ${retryAfter} says nothing`, async (t) => {
    const { answers, post } = await open(t)
    answers.push(retryAfter === undefined ? [503] : [503, retryAfter])
    t.same(await post('m1'), { state: 'again', problem: 'the webhook answered 503' })
  })
}

test('410 ends the endpoint for all messages, until its address or secret changes', async (t) => {
  const { db, seen, answers, make, post } = await open(t)
  answers.push([410])
  t.same(await post('m1'), { state: 'ended', problem: 'the webhook answered 410' })
  t.match(await make()({ id: 'm2', webhook: { url: URL, body: {} } }), { state: 'ended' })
  t.equal(seen.length, 1)
  t.match(await post('m3', {}, newWebhookSecret()), { state: 'sent' })
  const rows = db.collection('keelson_endpoints')
  t.notMatch(JSON.stringify(await rows.find().toArray()), 'hooks.example')
  t.match(await rows.indexes(), [{}, { key: { seenAt: 1 }, expireAfterSeconds: 30 * 86_400 }])
})

test('an address that cannot be reached is tried again, with the cause as the problem', async (t) => {
  const { answers, post } = await open(t)
  answers.push(new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
  t.same(await post('m1'), { state: 'again', problem: 'connect ECONNREFUSED' })
})

test('messages of one line are posted one at a time, by all processes', async (t) => {
  const { make, most } = await open(t)
  const states = await Promise.all(
    [1, 2, 3, 4].map((at) =>
      make()({ id: `m${at}`, line: 'rule', webhook: { url: URL, body: {} } })
    )
  )
  t.equal(most(), 1)
  const waiting = states.filter(({ state }) => state !== 'sent')
  t.ok(waiting.length < 4)
  for (const one of waiting) t.match(one, { state: 'again', afterSeconds: 1 })
})

test('a tenant has a quota of its own, of webhooks and of mails', async (t) => {
  const { notify, seen, post } = await open(t)
  for (let at = 0; at < 500; at++)
    await notify({ id: `m${at}`, tenantId: 'acme', mail: async () => {} })
  const over = { state: 'again', problem: /as many messages as it may/, afterSeconds: Number }
  t.match(
    await notify({ id: 'm', tenantId: 'acme', mail: () => t.fail('it is over') as never }),
    over
  )
  t.match(await notify({ id: 'm', tenantId: 'other', mail: async () => {} }), { state: 'sent' })
  t.match(await post('m', { tenantId: 'acme' }), { state: 'sent' })
  t.equal(seen.length, 1)
})

test('a mail that is refused is given up, and any other failure is tried again', async (t) => {
  const { notify } = await open(t)
  const failing = (error: Error) => notify({ id: 'm', mail: () => Promise.reject(error) })
  t.match(await failing(refusals.TST_REFUSED({})), { state: 'ended' })
  t.same(await failing(new Error('away')), { state: 'again', problem: 'away' })
})

test('chat services get the text in their own form, and programs the message', async (t) => {
  const given = { text: 'x'.repeat(3_000), message: { kind: 'test' } }
  t.same(webhookBody('json', given), given.message)
  for (const format of ['slack', 'mattermost', 'teams', 'google-chat'] as const)
    t.same(webhookBody(format, given), { text: given.text })
  t.same(webhookBody('discord', given), { content: 'x'.repeat(2_000) })
})
