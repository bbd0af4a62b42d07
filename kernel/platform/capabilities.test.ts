// What plugins offer each other.
import { defineCapability, defineExtensionPoint, requiredFunctions, Type } from '@keelson/sdk'
import { test } from 'tap'
import { createCapabilities } from './capabilities.ts'

const mailSend = defineCapability<number>('mail.send/v1')
const mailGate = defineExtensionPoint<number>('mail.gate/v1')
const aStore = defineCapability<number>('a.store/v1')
const bStore = defineCapability<number>('b.store/v1')

test('what is provided can be used by its contract', async (t) => {
  const capabilities = createCapabilities()
  t.equal(capabilities.isProvided(mailSend.id), false)
  t.equal(capabilities.value(mailSend), undefined)
  t.equal(capabilities.provide('mailer', mailSend, 7), undefined)
  t.equal(capabilities.isProvided(mailSend.id), true)
  t.equal(capabilities.value(mailSend), 7)
})

test('a bare id names the same capability as the contract', async (t) => {
  const capabilities = createCapabilities()
  capabilities.provide('mailer', 'mail.send/v1', 7)
  t.equal(capabilities.value(mailSend), 7)
  t.equal(capabilities.value('mail.send/v1'), 7)
})

test('contributions keep their order, and a list that was read keeps growing', async (t) => {
  const capabilities = createCapabilities()
  const read = capabilities.contributions(mailGate)
  capabilities.extend('a', mailGate, 1)
  capabilities.extend('b', 'mail.gate/v1', 2)
  t.same(read, [1, 2])
})

test('a plugin that failed leaves nothing behind', async (t) => {
  const capabilities = createCapabilities()
  capabilities.provide('a', aStore, 1)
  capabilities.provide('b', bStore, 2)
  capabilities.extend('a', mailGate, 1)
  capabilities.extend('b', mailGate, 2)
  capabilities.extend('a', mailGate, 3)
  capabilities.withdraw('a')
  t.equal(capabilities.isProvided(aStore.id), false)
  t.equal(capabilities.isProvided(bStore.id), true)
  t.same(capabilities.contributions(mailGate), [2])
})

test('what does not fit its contract is neither provided nor contributed', async (t) => {
  const capabilities = createCapabilities()
  const store = defineCapability<object>('a.store/v1', Type.Object(requiredFunctions('find')))
  const point = defineExtensionPoint<object>('a.point/v1', Type.Object({ name: Type.String() }))
  t.same(capabilities.provide('a', store, { find: 1 }), {
    path: 'find',
    reason: 'must be a function'
  })
  t.match(capabilities.extend('b', point, {}), { path: 'name', reason: 'is missing' })
  t.equal(capabilities.isProvided(store.id), false)
  t.same(capabilities.contributions(point), [])
})

test('what the kernel uses itself is checked under its bare id, too', async (t) => {
  const capabilities = createCapabilities()
  t.match(capabilities.provide('a', 'oauth.protect/v1', 'no function'), {
    reason: 'must be a function'
  })
})
