// What the kernel relies on in Fastify: scopes inherit register, and what it is given may be wrapped.
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { test } from 'tap'
import { noteNestedFailures } from './nested-failures.ts'

/** Starts an app in which `plugin` is registered in a scope that notes failures. */
async function start(plugin: FastifyPluginAsync) {
  const app = Fastify()
  const noted: unknown[] = []
  app.register(async (scope) => {
    noteNestedFailures(scope, (error) => void noted.push((error as Error).message))
    await plugin(scope, {})
  })
  await app.ready()
  return { app, noted }
}

const fail = (message: string) => {
  throw new Error(message)
}

test('without this reach the routes of a plugin that failed are half made', async (t) => {
  const app = Fastify()
  app.register(async (scope) => {
    scope.register(async (nested) => {
      nested.addHook('onRequest', async () => {})
      nested.get('/half', async () => 'made')
      fail('no luck')
    })
    // The public way to go on without a plugin that failed.
    scope.after((_error) => {})
  })
  await app.ready()
  const broken = async () => app.inject('/half')
  await t.rejects(broken(), TypeError, 'when this answers, the reach may go')
})

const FORMS: Readonly<Record<string, (scope: FastifyInstance) => unknown>> = {
  'that rejects': (scope) => scope.register(async () => fail('no luck')),
  'that throws': (scope) => scope.register((_scope, _options, _done) => fail('no luck')),
  'that calls back with an error': (scope) =>
    scope.register((_scope, _options, done) => done(new Error('no luck'))),
  'that is a rejected promise': (scope) =>
    scope.register(Promise.reject(new Error('no luck')) as never),
  'of a module with a default export': (scope) =>
    scope.register({ default: async () => fail('no luck') } as never),
  'in a scope of a scope': (scope) =>
    scope.register(async (child) => void child.register(async () => fail('no luck')))
}
for (const [form, register] of Object.entries(FORMS)) {
  test(`a nested plugin ${form} is noted and does not end the start`, async (t) => {
    const { noted } = await start(async (scope) => void register(scope))
    t.same(noted, ['no luck'])
  })
}

test('nested plugins of every form are registered as they are', async (t) => {
  const { app, noted } = await start(async (scope) => {
    scope.register(async (child) => void child.get('/async', async () => 'a'))
    scope.register((child, _options, done) => {
      setImmediate(() => {
        child.get('/callback', async () => 'b')
        done()
      })
    })
    scope.register((child) => void child.get('/plain', async () => 'c'), { prefix: '/below' })
    scope.register(
      fastifyPlugin(async (same) => void same.decorate('mark', 'here'), { name: 'marked' })
    )
    scope.after(
      () => void scope.get('/mark', async () => (scope as never as { mark: string }).mark)
    )
  })
  const texts = ['/async', '/callback', '/below/plain', '/mark'].map(
    async (url) => (await app.inject(url)).payload
  )
  t.same(await Promise.all(texts), ['a', 'b', 'c', 'here'])
  t.same(noted, [])
})
