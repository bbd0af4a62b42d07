// What the kernel relies on in Fastify: where the hooks of a scope are.
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { hasLateHooks } from './late-hooks.ts'

async function inScope(prepare: (app: FastifyInstance) => void): Promise<boolean> {
  const app = Fastify()
  prepare(app)
  let found = false
  app.register(async (scope) => {
    found = hasLateHooks(scope)
  })
  await app.ready()
  return found
}

test('a hook of the host before the validation is found in a scope of it', async (t) => {
  const none = async () => {}
  t.notOk(await inScope(() => {}))
  t.notOk(await inScope((app) => app.addHook('onRequest', none).addHook('preHandler', none)))
  t.ok(await inScope((app) => app.addHook('preValidation', none)))
  t.ok(await inScope((app) => app.addHook('preParsing', none)))
})
