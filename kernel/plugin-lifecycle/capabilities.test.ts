// What plugins offer each other.
import { test } from 'tap'
import { createCapabilities } from './capabilities.ts'

test('what is provided can be used by its id', async (t) => {
  const capabilities = createCapabilities()
  t.equal(capabilities.isProvided('mail.send/v1'), false)
  t.equal(capabilities.value('mail.send/v1'), undefined)
  capabilities.provide('mailer', 'mail.send/v1', 7)
  t.equal(capabilities.isProvided('mail.send/v1'), true)
  t.equal(capabilities.value('mail.send/v1'), 7)
})

test('contributions keep their order, and a list that was read goes on growing', async (t) => {
  const capabilities = createCapabilities()
  const read = capabilities.contributions('mail.gate/v1')
  capabilities.extend('a', 'mail.gate/v1', 1)
  capabilities.extend('b', 'mail.gate/v1', 2)
  t.same(read, [1, 2])
})

test('a plugin that failed leaves nothing behind', async (t) => {
  const capabilities = createCapabilities()
  capabilities.provide('a', 'a.store/v1', 1)
  capabilities.provide('b', 'b.store/v1', 2)
  capabilities.extend('a', 'mail.gate/v1', 1)
  capabilities.extend('b', 'mail.gate/v1', 2)
  capabilities.extend('a', 'mail.gate/v1', 3)
  capabilities.withdraw('a')
  t.equal(capabilities.isProvided('a.store/v1'), false)
  t.equal(capabilities.value('b.store/v1'), 2)
  t.same(capabilities.contributions('mail.gate/v1'), [2])
})
