// Handlers: what a route's TypeBox schemas say is what the compiler knows.
import {
  definePlugin,
  type Host,
  type RouteBody,
  type Sendable,
  Type,
  type Viewer
} from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { test } from 'tap'
import { type Equal, isTrue } from './expect.ts'

/** Runs nothing: what is inside has only to compile. */
const compiles = (_use: (host: Host) => void) => true

const item = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  tags: Type.Array(Type.String()),
  note: Type.Optional(Type.String())
})

test('query, params and body have the types of their schemas', async (t) => {
  compiles((host) => {
    host.route({
      method: 'PUT',
      path: '/items/:id',
      schema: {
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({ limit: Type.Optional(Type.Integer()) }),
        body: Type.Object({ name: Type.String() })
      },
      handler: ({ params, query, body, headers }, reply) => {
        isTrue<Equal<typeof params, { id: string }>>()
        isTrue<Equal<typeof query, { limit?: number }>>()
        isTrue<Equal<typeof body.name, string>>()
        isTrue<Equal<typeof headers.accept, string | undefined>>()
        isTrue<Equal<typeof reply, FastifyReply>>()
        // @ts-expect-error: `limmit` is not in the schema
        void query.limmit
        return { anything: 'goes without a response schema' }
      }
    })
  })
  t.pass('it compiles')
})

test('without a schema they are unknown', async (t) => {
  compiles((host) => {
    host.route({
      method: 'GET',
      path: '/',
      handler: ({ query, body }, _reply, { viewer }) => {
        isTrue<Equal<typeof query, unknown>>()
        isTrue<Equal<typeof body, unknown>>()
        isTrue<Equal<typeof viewer, Viewer | null>>()
        return null
      }
    })
  })
  t.pass('it compiles')
})

test('an answer must be one of the response schemas, or be sent by the reply', async (t) => {
  const schema = { response: { 200: item, 404: Type.Object({ error: Type.String() }) } }
  isTrue<
    Equal<
      RouteBody<typeof schema>,
      | {
          readonly id: string | Date
          readonly at: string | Date
          readonly tags: readonly (string | Date)[]
          readonly note?: string | Date | undefined
        }
      | { readonly error: string | Date }
    >
  >()
  compiles((host) => {
    const found = { id: 'a', at: new Date(), tags: ['x'] as const }
    host.route({ method: 'GET', path: '/a', schema, handler: () => found })
    host.route({ method: 'GET', path: '/b', schema, handler: async () => ({ error: 'none' }) })
    host.route({
      method: 'GET',
      path: '/c',
      schema,
      handler: (_request, reply) => reply.code(410).send({ error: 'gone' })
    })
    // @ts-expect-error: an id is a string
    host.route({ method: 'GET', path: '/d', schema, handler: () => ({ ...found, id: 7 }) })
    // @ts-expect-error: tags are missing
    host.route({ method: 'GET', path: '/e', schema, handler: async () => ({ id: 'a', at: '' }) })
  })
  t.pass('it compiles')
})

test('without a response schema for success any body goes', async (t) => {
  const error = Type.Object({ error: Type.String() })
  isTrue<Equal<RouteBody<{ response: { '4xx': typeof error } }>, unknown>>()
  isTrue<
    Equal<RouteBody<{ response: { '2xx': typeof error } }>, { readonly error: string | Date }>
  >()
  t.pass('it compiles')
})

test('literals stay literals in what may be sent', async (t) => {
  isTrue<Equal<Sendable<'a' | 'b'>, 'a' | 'b'>>()
  isTrue<Equal<Sendable<number | null>, number | null>>()
  isTrue<Equal<Sendable<unknown>, unknown>>()
  t.pass('it compiles')
})

test('a handler that is written for any request fits every route', async (t) => {
  compiles((host) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      isTrue<Equal<typeof request.body, unknown>>()
      return reply.send({})
    }
    host.route({ method: 'POST', path: '/', schema: { body: item }, handler })
    host.route({ method: 'POST', path: '/', handler })
  })
  t.pass('it compiles')
})

test('what is typed is what arrives: numbers from the query, dates as text in the answer', async (t) => {
  const plugin = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'typed',
      name: 'Typed',
      version: '1.0.0',
      kernel: '*',
      description: 'Typed routes.',
      license: 'MIT',
      routes: [{ method: 'GET', path: '/days/:day', auth: 'public', summary: 'A day.' }]
    },
    register(host) {
      host.route({
        method: 'GET',
        path: '/days/:day',
        schema: {
          params: Type.Object({ day: Type.String({ format: 'date' }) }),
          querystring: Type.Object({ add: Type.Integer({ default: 0 }) }),
          response: { 200: Type.Object({ at: Type.String({ format: 'date-time' }) }) }
        },
        handler: ({ params, query }) => ({
          at: new Date(Date.parse(params.day) + query.add * 86_400_000)
        })
      })
    }
  })
  const host = await createTestHost({ plugin })
  t.teardown(() => host.close())
  t.same((await host.app.inject('/typed/days/2026-01-01?add=2')).json(), {
    at: '2026-01-03T00:00:00.000Z'
  })
  t.equal((await host.app.inject('/typed/days/2026-01-01?add=two')).statusCode, 400)
})
