// Every end of access has its event, kept before the change: for one person, and for all grants of a client.
import { readdir, readFile } from 'node:fs/promises'
import { newWebhookSecret } from '@keelson/sdk'
import { test } from 'tap'
import { webhooksOf } from '../config/event-settings.ts'
import { wantsEvent } from '../events/webhook-bodies.ts'
import { endGrant } from '../grants/end-grant.ts'
import { ENDINGS, type EndingType } from '../grants/endings.ts'
import type { OAuthGrant } from '../storage/rows.ts'
import { type Actor, actor, basic, type Running, startHost } from './flow.ts'

const HOOK = 'https://hooks.example.test'
const EVENTS = { webhooks: [{ url: `${HOOK}/all`, secret: newWebhookSecret() }] }

/** Access that is about to end. */
interface Given {
  readonly running: Running
  readonly clientId: string
  readonly person: Actor
  readonly pair: { readonly code: string; readonly verifier: string }
  readonly tokens: { readonly refresh_token: string }
}

/** One way to each ending. */
const WAYS: Readonly<Record<EndingType, (given: Given) => Promise<unknown>>> = {
  'oauth.user_access_revoked': ({ running }) => running.host.users.revokeAll('u1'),
  'oauth.user_forgotten': ({ running }) => running.host.users.forget('u1'),
  'oauth.context_revoked': async ({ running, clientId }) => {
    await running.db.collection('oauth_grants').updateMany({ clientId }, IN_TEAM)
    await running.db.collection('oauth_families').updateMany({ clientId }, IN_TEAM)
    return running.host.contexts.revoked('u1', 'team')
  },
  'oauth.grant_revoked': async ({ running: { db, parts }, clientId }) => {
    const grant = await db.collection<OAuthGrant>('oauth_grants').findOne({ clientId })
    return endGrant(grant as OAuthGrant, { by: 'user' }, parts.services)
  },
  'oauth.unknown_person': async ({ running, person, tokens }) => {
    gone.add(running)
    await person.refresh(tokens.refresh_token)
    gone.delete(running)
  },
  'oauth.token_revoked': ({ person, tokens }) =>
    person.post('/revoke', { token: tokens.refresh_token }),
  'oauth.refresh_reuse_detected': async ({ running, person, tokens }) => {
    running.clock.advance(60)
    return person.refresh(tokens.refresh_token)
  },
  'oauth.refresh_wrong_client': async ({ running, person, tokens }) => {
    const { clientId, clientSecret = '' } = await running.client({ name: 'Another' })
    return person.refresh(tokens.refresh_token, {}, basic(clientId, clientSecret))
  },
  'oauth.code_replay_detected': ({ person, pair }) => person.redeem(pair),
  'oauth.client_disabled': ({ running, clientId }) => running.host.clients.disable(clientId),
  'oauth.client_deleted': ({ running, clientId }) => running.host.clients.remove(clientId)
}

const IN_TEAM = { $set: { contextId: 'team' } }
/** Hosts whose people cannot be loaded at the moment. */
const gone = new Set<Running>()

async function startKnowing(t: Parameters<typeof startHost>[0]): Promise<Running> {
  const running: Running = await startHost(t, {
    events: EVENTS,
    loadUser: (id) => (gone.has(running) ? null : { id })
  })
  return running
}

async function give(running: Running, type: EndingType): Promise<Given> {
  const client = await running.client()
  const person = actor(running, client)
  const pair = await person.toCode({ scope: 'openid read offline_access' })
  const tokens = (await person.redeem(pair)).json
  // Its successor is used too: only then is the first one reuse.
  if (type === 'oauth.refresh_reuse_detected') await person.refresh(tokens.refresh_token)
  return { running, clientId: client.clientId, person, pair, tokens }
}

const isLive = async ({ db }: Running, clientId: string): Promise<boolean> =>
  (await db.collection('oauth_families').findOne({ clientId, revokedAt: null })) !== null

for (const type of Object.keys(ENDINGS) as EndingType[]) {
  test(`${type} leaves, wherever in the change the process is killed`, async (t) => {
    const running = await startKnowing(t)
    const deliveries = running.db.collection('oauth_deliveries')
    let isKilled = true
    for (let writes = 0; isKilled; writes++) {
      const given = await give(running, type)
      await deliveries.deleteMany({})
      const revive = killAfter(running, writes)
      await WAYS[type](given).catch(() => undefined)
      isKilled = revive()
      gone.delete(running)
      const live = await isLive(running, given.clientId)
      const kept = await deliveries.findOne({ 'event.type': type })
      const meta = Object.keys(kept?.['event'].meta ?? {})
      const isTold = meta.includes('tokensRevoked') || meta.includes('tokens')
      if (!isKilled) t.ok(isTold, 'it says what ended')
      t.ok(live || kept !== null, `killed at write ${writes}, access ended with its event`)
      t.equal(live && !isKilled, false, 'access has ended')
    }
  })
}

test('CAEP gets every end of a session of a person, and not an access token that ends alone', (t) => {
  const [caep] = webhooksOf({ events: { webhooks: [{ url: HOOK, format: 'caep' }] } } as never)
  const wants = (type: string, meta: object = {}) =>
    wantsEvent(caep as NonNullable<typeof caep>, {
      id: 'e',
      at: new Date(0),
      type,
      userId: 'u1',
      meta: { ...meta }
    })
  for (const type of Object.keys(ENDINGS)) t.equal(wants(type), true, type)
  t.equal(wants('oauth.token_revoked', { kind: 'access' }), false)
  t.equal(wants('oauth.token_issued'), false)
  t.end()
})

test('each person of a client learns that it was disabled, given to others or deleted', async (t) => {
  const tenantOf = (id: string) => id.split('.')[0]
  const running = await startHost(t, {
    tenantOf: (id) => tenantOf(id),
    loadUser: (id) => ({ id })
  } as Parameters<typeof startHost>[1])
  const acts: Readonly<Record<string, (clientId: string) => Promise<unknown>>> = {
    disabled: (clientId) => running.host.clients.disable(clientId),
    given: (clientId) => running.host.clients.update(clientId, { tenants: ['initech'] }),
    deleted: (clientId) => running.host.clients.remove(clientId)
  }
  for (const [name, act] of Object.entries(acts)) {
    const client = await running.client()
    for (const user of ['acme.1', 'globex.1']) {
      await actor(running, client, user).tokens({ scope: 'openid read' })
    }
    running.events.length = 0
    await act(client.clientId)
    const ended = running.events.filter((event) => event.type === 'oauth.grant_revoked')
    t.same(ended.map(({ userId }) => userId).sort(), ['acme.1', 'globex.1'], name)
    t.match(ended[0], { clientId: client.clientId, grantId: String, meta: { by: 'admin' } })
  }
})

test('a client with many grants ends in batches, and repeats what a killed process left', async (t) => {
  const running = await startHost(t, { events: EVENTS })
  const { clientId } = await running.client()
  const grants = running.db.collection<OAuthGrant>('oauth_grants')
  const now = running.clock.now()
  const about = { clientId, contextId: null, scopes: ['read'], resources: [], revokedAt: null }
  const rows = Array.from({ length: 1100 }, (_, at) => {
    return { ...about, _id: `g${at}`, userId: `u${at}`, createdAt: now, updatedAt: now }
  })
  await grants.insertMany(rows as unknown as OAuthGrant[])
  const deliveries = running.db.collection('oauth_deliveries')
  const revive = killAfter(running, 10)
  await t.rejects(running.host.clients.remove(clientId), { message: 'killed' })
  t.ok(revive())
  const ended = await grants.find({ clientId, revokedAt: { $ne: null } }).toArray()
  t.ok(ended.length >= 500 && ended.length < 1100, `${ended.length} had ended`)
  const told = async () => new Set(await deliveries.distinct('event.grantId', OF_GRANTS))
  const first = await told()
  t.ok(
    ended.every(({ _id }) => first.has(_id)),
    'none without its event'
  )
  t.ok(first.size <= ended.length + 500, 'one batch at a time')
  const { grantsRevoked } = await running.host.clients.remove(clientId)
  t.equal(grantsRevoked, 1100 - ended.length)
  t.equal((await told()).size, 1100)
})

const OF_GRANTS = { 'event.type': 'oauth.grant_revoked' }

test('the parts that end access without an event are used by one module alone', async (t) => {
  const root = new URL('../', import.meta.url)
  const files = await readdir(root, { recursive: true })
  const users: string[] = []
  const raw: string[] = []
  for (const file of files.filter((name) => name.endsWith('.js') && !name.startsWith('test/'))) {
    const text = await readFile(new URL(file, root), 'utf8')
    if (text.includes('/access.js"')) users.push(file)
    if (/\b(?:grants|families)\.(?:deleteMany|updateMany)\(/.test(text)) raw.push(file)
  }
  t.same(users, ['grants/revocations.js'])
  t.same(raw.sort(), ['grants/access.js', 'grants/erase.js', 'grants/take-back.js'])
})

const WRITES = [
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate'
] as const

/** Fails every write after some, as when the process is killed; ends it, and tells whether one failed. */
function killAfter({ parts }: Running, writes: number): () => boolean {
  let left = writes
  let isKilled = false
  const collections = Object.values(parts.services.collections) as object[]
  for (const collection of collections) {
    for (const name of WRITES) {
      const write = Reflect.get(collection, name) as (...args: unknown[]) => unknown
      Reflect.set(collection, name, (...args: unknown[]) => {
        left -= 1
        if (left >= 0) return write.apply(collection, args)
        isKilled = true
        return Promise.reject(new Error('killed'))
      })
    }
  }
  return () => {
    for (const collection of collections)
      for (const name of WRITES) Reflect.deleteProperty(collection, name)
    return isKilled
  }
}
