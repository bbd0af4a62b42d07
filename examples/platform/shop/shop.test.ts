// The shop's API: whose administrators may call it, and an order that comes twice.
import mailer from '@keelson/mailer'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import contacts from '../contacts/index.ts'
import shop from './index.ts'

async function start(t: Test) {
  const config = {
    publicUrl: 'https://acme.test',
    unsubscribeSecret: 'a secret of some length',
    fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
    providers: { null: {} }
  }
  const host = await createTestHost({
    plugin: shop,
    plugins: [contacts, mailer],
    config: { adminTenants: ['acme'] },
    platform: { plugins: { mailer: { config } } }
  })
  t.teardown(() => host.close())
  const call = (path: string, payload: object, viewer = 'acme:admin') =>
    host.app.inject({
      method: 'POST',
      url: `/shop${path}`,
      payload,
      headers: { 'x-viewer': viewer, origin: 'http://localhost' }
    })
  return { ...host, call }
}

test('an order that comes twice fires one event and sends one receipt', async (t) => {
  const { call, db } = await start(t)
  const items = [
    { name: 'Acme Pro, one month', quantity: 2, amountCents: 9800 },
    { name: 'Extra tokens', quantity: 1, amountCents: 900 }
  ]
  const order = { externalId: 'u7', orderId: 'A-1', items }
  const first = await call('/orders', order)
  const second = await call('/orders', order)
  t.equal(first.statusCode, 202)
  t.same(second.json(), first.json())
  const sends = await db.collection('mailer_sends').find().toArray()
  t.match(sends, [
    { templateSlug: 'order-receipt', externalId: 'u7', vars: { totalCents: 10_700 } }
  ])
  t.match(await db.collection('mailer_events').find().toArray(), [{ name: 'order.placed' }])
})

test('sign-ups and visits become events, once for each customer and day', async (t) => {
  const { call, db } = await start(t)
  for (const path of ['/sign-ups', '/sign-ups', '/visits', '/visits']) {
    t.equal((await call(path, { externalId: 'u7' })).statusCode, 202)
  }
  const events = await db.collection('mailer_events').find().sort({ name: 1 }).toArray()
  t.match(events, [{ name: 'app.opened' }, { name: 'user.signed_up' }])
  t.equal(events.length, 2)
})

test('administrators of other tenants and invalid customers are refused', async (t) => {
  const { call } = await start(t)
  t.equal((await call('/visits', { externalId: 'u7' }, 'globex:admin')).statusCode, 403)
  t.equal((await call('/visits', { externalId: 'u7' }, 'acme:viewer')).statusCode, 403)
  t.equal((await call('/visits', { externalId: 'u7' }, '*:admin')).statusCode, 202)
  t.equal((await call('/visits', { externalId: 'x7' })).statusCode, 400)
})
