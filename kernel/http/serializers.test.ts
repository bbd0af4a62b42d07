// Serializers that routes share: one for each schema, and those that a scope brings stay.
import Fastify, { type RouteOptions } from 'fastify'
import { test } from 'tap'
import { shareSerializers } from './serializers.ts'

const answer = { type: 'object', properties: { name: { type: 'string' } } }

const reply = async () => ({ name: 'Ada', secret: 'x' })

/** An app whose routes share serializers, and the options that its routes ended with. */
function sharingApp() {
  const routes: RouteOptions[] = []
  const app = Fastify()
  app.addHook('onRoute', function (route) {
    shareSerializers(this, route)
    routes.push(route)
  })
  return { app, routes }
}

const serializerOf = ({ serializerCompiler }: RouteOptions, schema: object) =>
  serializerCompiler?.({ schema, method: 'GET', url: '/', httpStatus: '200' })

test('routes of several apps with the same answer schema share one serializer', async (t) => {
  const serializers = new Set<unknown>()
  for (const { app, routes } of [sharingApp(), sharingApp()]) {
    app.get('/a', { schema: { response: { 200: answer } } }, reply)
    app.get('/b', { schema: { response: { 200: answer } } }, reply)
    await app.ready()
    t.same((await app.inject('/a')).json(), { name: 'Ada' }, 'unknown fields are left out')
    for (const route of routes) serializers.add(serializerOf(route, answer))
    await app.close()
  }
  t.equal(serializers.size, 1)
})

test('a schema that refers to another of its scope is compiled with it', async (t) => {
  for (const field of ['one', 'two']) {
    const { app } = sharingApp()
    const other = { $id: 'other', type: 'object', properties: { [field]: { type: 'integer' } } }
    app.addSchema(other)
    const schema = { response: { 200: { $ref: 'other#' } } }
    app.get('/', { schema }, async () => ({ one: 1, two: 2 }))
    t.same(Object.keys((await app.inject('/')).json()), [field])
    await app.close()
  }
})

test('a compiler that the route or the scope has already stays', async (t) => {
  const { app } = sharingApp()
  const schema = { response: { 200: answer } }
  const serializerCompiler = () => () => '"route"'
  app.get('/route', { schema, serializerCompiler }, reply)
  app.register(async (scope) => {
    scope.setSerializerCompiler(() => () => '"scope"')
    scope.get('/scope', { schema }, reply)
  })
  t.equal((await app.inject('/route')).body, '"route"')
  t.equal((await app.inject('/scope')).body, '"scope"')
  await app.close()
})

test('a schema written by hand is compiled at the start, that of an operation by its first answer', async (t) => {
  const faulty = { type: 'object', properties: { name: { $ref: '#/missing' } } }
  const byHand = sharingApp().app
  byHand.get('/', { schema: { response: { 200: faulty } } }, reply)
  await t.rejects(async () => byHand.ready(), { code: 'FST_ERR_SCH_SERIALIZATION_BUILD' })
  const { app } = sharingApp()
  const config = { [Symbol.for('keelson.operation')]: {} } as object
  app.get('/', { schema: { response: { 200: faulty } }, config }, reply)
  await app.ready()
  t.equal((await app.inject('/')).statusCode, 500)
})
