// What the kernel relies on in Fastify: the logger that writes nothing is its own child.
import Fastify from 'fastify'
import { test } from 'tap'
import { isWriting } from './silent-logger.ts'

test('the logger of an app without a logger writes nothing', async (t) => {
  t.equal(isWriting(Fastify().log), false)
})

test('the logger of an app with a logger writes, also at the level silent', async (t) => {
  t.equal(isWriting(Fastify({ logger: true }).log), true)
  t.equal(isWriting(Fastify({ logger: { level: 'silent' } }).log), true)
})
