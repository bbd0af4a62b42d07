// Fastify's own not-found handler is distinguished from one of the host.
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { isUnanswered } from './unanswered.ts'

const seenBy = async (prepare: (app: FastifyInstance) => void) => {
  const app = Fastify()
  const seen: boolean[] = []
  prepare(app)
  app.get('/there', (_request, reply) => reply.send('yes'))
  app.get('/calls', (_request, reply) => reply.callNotFound())
  app.addHook('preHandler', async (request) => void seen.push(isUnanswered(request)))
  for (const url of ['/there', '/none', '/calls']) await app.inject({ url })
  await app.close()
  return seen
}

test('without a handler of the host an unknown address is unanswered', async (t) => {
  t.same(await seenBy(() => {}), [false, true, false, true])
})

test('with a handler of the host every address is answered', async (t) => {
  const seen = await seenBy((app) =>
    app.setNotFoundHandler((_request, reply) => reply.send('mine'))
  )
  t.same(seen, [false, false, false, false])
})
