// The indexes of the models, and that every read of the protocol is served by one.

import { testDatabase } from '@keelson/sdk/testing'
import { MongoClient } from 'mongodb'
import { test } from 'tap'
import { sentBy } from '../attempts/attempt-log.ts'
import { afterCursor, cursorAt, searchFilter } from '../clients/client-search.ts'
import { createModels, syncModelIndexes } from '../index.ts'
import { peopleOfTenant } from '../users/people-of-tenant.ts'
import { actor, startHost } from './flow.ts'

test('the seven models get their indexes, the audit its retention', async (t) => {
  const { db } = await testDatabase(t)
  const models = createModels({ connection: db })
  await syncModelIndexes(models, { auditRetentionDays: 7 })
  const indexes = await models.OAuthAudit.listIndexes().toArray()
  t.match(
    indexes.find(({ name }) => name === 'created'),
    { expireAfterSeconds: 7 * 86_400 }
  )
  const grants = await models.OAuthGrant.listIndexes().toArray()
  t.match(
    grants.find(({ name }) => name === 'live'),
    { unique: true, partialFilterExpression: { revokedAt: null } }
  )
})

test('tokens and grants are read from the primary, whatever the read preference of the host', async (t) => {
  const { db } = await testDatabase(t)
  const client = new MongoClient('mongodb://127.0.0.1:1/?readPreference=secondaryPreferred')
  t.equal(client.db().collection('x').readPreference?.mode, 'secondaryPreferred')
  for (const connection of [db, client, client.db()]) {
    t.equal(createModels({ connection }).OAuthToken.readPreference?.mode, 'primary')
  }
})

const NEWEST = { createdAt: -1, _id: -1 }

test('no query of the protocol scans a collection', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const tokens = await app.tokens({ scope: 'openid read' })
  await app.toConsent()
  const { collections } = running.parts.services
  const client = { clientId: 'c' }
  const liveTokens = {
    tokenHash: { $in: [tokens.access_token] },
    kind: 'access',
    revokedAt: null,
    expiresAt: { $gt: running.clock.now() }
  } as const
  const shapes: readonly (readonly [string, object, object?])[] = [
    ['clients', client],
    ['clients', {}, NEWEST],
    ['clients', { status: 'active' }, NEWEST],
    ['clients', { ...searchFilter('test'), status: 'active' }, NEWEST],
    ['clients', afterCursor(cursorAt({ _id: 'a', createdAt: new Date(9) })), NEWEST],
    ['clients', { searchWords: { $exists: false } }],
    ['grants', { ...client, userId: 'u', contextId: null, revokedAt: null }],
    ['grants', { userId: 'u', revokedAt: null }, { createdAt: -1 }],
    ['grants', { ...client, revokedAt: null }, { createdAt: -1 }],
    ['grants', { revokedAt: null }, { createdAt: -1 }],
    ['codes', { codeHash: 'x', consumedAt: null }],
    ['codes', { grantId: 'g' }],
    ['codes', { userId: 'u' }],
    ['tokens', liveTokens],
    ['tokens', { tokenHash: 'x', kind: 'refresh' }],
    ['tokens', { familyId: 'f', revokedAt: null }],
    ['tokens', { grantId: 'g', revokedAt: null }],
    ['tokens', { userId: 'u', revokedAt: null }],
    ['tokens', { ...client, revokedAt: null }],
    ['families', { grantId: 'g', revokedAt: null }],
    ['families', { userId: 'u' }],
    ['requests', { requestId: 'r' }],
    ['requests', { userId: 'u' }],
    ['attempts', { clientId: null }, { startedAt: -1 }],
    ['audit', {}, { createdAt: -1 }],
    ['audit', client, { createdAt: -1 }],
    ['audit', { userId: 'u' }, { createdAt: -1 }],
    ...['acme', 'globex'].flatMap((tenant) => {
      const { own, seen, foreign } = peopleOfTenant(tenant, 'acme')
      return [
        ['grants', { revokedAt: null, ...own }, { createdAt: -1 }],
        ['grants', { ...client, revokedAt: null, ...own }, { createdAt: -1 }],
        ['grants', { ...client, revokedAt: null, ...foreign }],
        ['audit', seen, { createdAt: -1 }],
        ['attempts', { $and: [{ clientId: null, hasPerson: true }, seen] }, { startedAt: -1 }],
        [
          'attempts',
          { $and: [{ ...sentBy('c'), hasPerson: { $ne: true } }, seen] },
          { startedAt: -1 }
        ]
      ] as const
    }),
    ['audit', { actorId: 'u' }]
  ]
  // Their families are joined by `_id`.
  const plan = await collections.tokens
    .find({ ...liveTokens, tokenHash: { $in: ['x'] } })
    .explain('queryPlanner')
  t.match(JSON.stringify(plan), /"indexName":"tokenHash"/)
  for (const [role, filter, sort = {}] of shapes) {
    const collection = collections[role as 'clients']
    const plan = JSON.stringify(
      await collection
        .find(filter)
        .sort(sort as never)
        .explain('queryPlanner')
    )
    t.match(plan, /IXSCAN|IDHACK|EXPRESS/, `${role} ${JSON.stringify(filter)}`)
    t.notMatch(plan, 'COLLSCAN', `${role} ${JSON.stringify(filter)}`)
  }
})
