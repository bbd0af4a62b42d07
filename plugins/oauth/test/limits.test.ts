// Rate limits: keyed by what a caller cannot choose, shared by processes, never open.

import { addressKey } from '@keelson/sdk'
import fc from 'fast-check'
import { test } from 'tap'
import { createOAuthParts } from '../create-oauth-host.ts'
import { hashOf } from '../crypto/handles.ts'
import { actor, basic, type Running, random, startHost } from './flow.ts'

const LIMIT = { token: { max: 60, windowMs: 60_000 } }
const wrong = (running: Running, id: string, ip: string, headers = {}) =>
  running.call('POST', '/oauth/token', {
    form: { grant_type: 'refresh_token', refresh_token: random() },
    headers: { ...basic(id, random()), ...headers },
    ip
  })

test('of 240 wrong secrets 60 are checked, whatever headers the caller sends', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const client = await running.client()
  const names = [client.clientId, 'nobody']
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, at) =>
      wrong(running, names[at % 2] ?? `made-up-${at}`, '192.0.2.1', {
        'x-forwarded-for': `198.51.100.${at}`,
        authorization: basic(`${names[at % 2]}${at}`, 'x').authorization.replace(
          'Basic',
          at % 3 === 0 ? 'basic' : 'Basic'
        )
      })
    )
  )
  t.equal(answers.filter(({ status }) => status === 401).length, 60)
  const over = answers.find(({ status }) => status === 429)
  t.equal(over?.json.error, 'too_many_requests')
  t.match(String(over?.headers['retry-after']), /^[1-9][0-9]?$/)
  running.clock.advance(61)
  t.equal((await wrong(running, 'nobody', '192.0.2.1')).status, 401)
})

test('an unauthenticated caller cannot use up the limit of a client', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const client = await running.client()
  const app = actor(running, client)
  await Promise.all(Array.from({ length: 100 }, () => wrong(running, client.clientId, '192.0.2.1')))
  t.equal((await wrong(running, client.clientId, '192.0.2.1')).status, 429)
  t.equal((await app.refresh(random())).json.error, 'invalid_grant')
})

test('callers at the address of a proven client do not use up its limit', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const own = await running.client()
  const mobile = actor(running, await running.client({ type: 'public' }))
  await Promise.all(Array.from({ length: 100 }, () => wrong(running, 'made-up', '127.0.0.1')))
  t.equal((await wrong(running, own.clientId, '127.0.0.1')).status, 429)
  t.equal((await actor(running, own).refresh(random())).status, 400, 'a proven client')
  t.equal((await mobile.refresh(random())).status, 400, 'and a public one')
})

test('a public client is limited per client and address', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const one = await running.client({ type: 'public' })
  const other = await running.client({ type: 'public' })
  const ask = (clientId: string, ip: string) =>
    running.call('POST', '/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: random(), client_id: clientId },
      ip
    })
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => ask(one.clientId, '192.0.2.1'))
  )
  t.equal(answers.filter(({ status }) => status === 400).length, 60)
  t.equal((await ask(one.clientId, '192.0.2.2')).status, 400, 'at another address')
  t.equal((await ask(other.clientId, '192.0.2.1')).status, 400, 'another client')
})

test('who is proven has its own share, and no more than that', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const app = actor(running, await running.client())
  const neighbour = actor(running, await running.client())
  const answers = await Promise.all(Array.from({ length: 80 }, () => app.refresh(random())))
  t.equal(answers.filter(({ status }) => status === 400).length, 60)
  t.equal((await neighbour.refresh(random())).status, 400)
})

test('an authenticated resource server has a hundredfold introspection limit', async (t) => {
  const running = await startHost(t, { rateLimits: { token: { max: 2, windowMs: 60_000 } } })
  const { clientId, clientSecret = '' } = await running.client()
  const ask = async (secret: string) =>
    (
      await running.call('POST', '/oauth/introspect', {
        form: { token: 'x' },
        headers: basic(clientId, secret)
      })
    ).status
  const answers = []
  for (let at = 0; at < 201; at++) answers.push(await ask(clientSecret))
  t.same([answers[199], answers[200]], [200, 429])
  t.same([await ask('wrong'), await ask('wrong'), await ask('wrong')], [401, 401, 429])
})

test('two processes share one limit', async (t) => {
  const running = await startHost(t, { rateLimits: LIMIT })
  const { limiter } = running.parts.services
  const second = createOAuthParts({
    issuer: 'https://id.example.test',
    connection: running.db,
    resources: ['https://id.example.test/api'],
    scopes: ['openid'],
    consentUrl: '/consent',
    rateLimits: LIMIT,
    clock: running.clock
  }).services.limiter
  const takes = Array.from({ length: 100 }, (_, at) =>
    (at % 2 === 0 ? limiter : second).take('token', 'k')
  )
  const given = (await Promise.allSettled(takes)).filter(({ status }) => status === 'fulfilled')
  t.ok(given.length <= 60 && given.length >= 48, `${given.length} were given out`)
  const row = await running.db
    .collection('keelson_limits')
    .findOne({ _id: /^oauth\/token / } as never)
  const left = (row?.['expiresAt'].getTime() ?? 0) - running.clock.now().getTime()
  t.ok(left > 60_000, 'a database whose clock is ahead does not forget the window')
})

test('when the limiter fails, each process counts by itself', async (t) => {
  const store = { hit: () => Promise.reject(new Error('away')) }
  const running = await startHost(t, { rateLimits: { ...LIMIT, store } })
  const takes = Array.from({ length: 100 }, () => running.parts.services.limiter.take('token', 'k'))
  const given = (await Promise.allSettled(takes)).filter(({ status }) => status === 'fulfilled')
  t.equal(given.length, 60)
})

test('an IPv6 address counts by its /64, a mapped one as IPv4', (t) => {
  t.equal(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:db8:1:2::9'))
  t.not(addressKey('2001:db8:1:2::9'), addressKey('2001:db8:1:3::9'))
  t.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1')
  t.equal(addressKey('192.0.2.1'), '192.0.2.1')
  fc.assert(fc.property(fc.ipV6(), (ip) => addressKey(ip).length > 0))
  t.end()
})

/** Refresh tokens of as many people: the first one's rows, with other ids. */
async function manyPeople({ parts }: Running, first: string, count: number): Promise<string[]> {
  const { tokens, families } = parts.services.collections
  const row = await tokens.findOne({ tokenHash: hashOf(first) })
  const family = row && (await families.findOne({ _id: row.familyId }))
  const handles = Array.from({ length: count }, random)
  const idsOf = (at: number) => ({ grantId: `grant-${at}`, userId: `u${at}` })
  await families.insertMany(
    handles.map((_, at) => ({ ...family, ...idsOf(at), _id: `family-${at}` })) as never
  )
  await tokens.insertMany(
    handles.map((handle, at) => ({
      ...row,
      ...idsOf(at),
      _id: `token-${at}`,
      tokenHash: hashOf(handle),
      familyId: `family-${at}`
    })) as never
  )
  return handles
}

for (const type of ['public', 'confidential'] as const) {
  test(`the cloud of a vendor refreshes for all people of a ${type} client from one address`, async (t) => {
    const running = await startHost(t, { rateLimits: LIMIT })
    const app = actor(running, await running.client({ type }))
    const { refresh_token: first } = await app.tokens({ scope: 'read' })
    const people = 100
    const statuses = new Map<number, number>()
    for (const token of await manyPeople(running, first, people)) {
      const { status } = await app.refresh(token)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    t.same([...statuses], [[200, people]])
  })

  test(`the cloud of a vendor signs many people in with a ${type} client from one address`, async (t) => {
    const running = await startHost(t, { rateLimits: { token: { max: 5, windowMs: 60_000 } } })
    const app = actor(running, await running.client({ type }))
    for (let at = 0; at < 12; at++) await app.tokens()
    const guesses = Array.from({ length: 12 }, () =>
      app.redeem({ code: random(), verifier: random() })
    )
    const answers = await Promise.all(guesses)
    t.equal(answers.filter(({ status }) => status === 400).length, 5, 'guesses are limited')
  })
}

const refreshes = async (running: Running, type: 'public' | 'confidential', times: number) => {
  const app = actor(running, await running.client({ type }))
  let { refresh_token: token } = await app.tokens({ scope: 'read' })
  const statuses: number[] = []
  for (let at = 0; at < times; at++) {
    const { status, json } = await app.refresh(token)
    statuses.push(status)
    token = json.refresh_token ?? token
  }
  return statuses
}

test('the refreshes of one grant of a public client are limited', async (t) => {
  const running = await startHost(t, { rateLimits: { token: { max: 10, windowMs: 60_000 } } })
  const statuses = await refreshes(running, 'public', 14)
  t.equal(statuses.filter((status) => status === 200).length, 10)
  t.equal(statuses.at(-1), 429)
})

test('an authenticated client has a hundredfold limit for what its people do', async (t) => {
  const running = await startHost(t, { rateLimits: { token: { max: 1, windowMs: 60_000 } } })
  const statuses = await refreshes(running, 'confidential', 101)
  // The code became tokens by one of the hundred.
  t.same([statuses.indexOf(429), statuses.at(-1)], [99, 429])
})
