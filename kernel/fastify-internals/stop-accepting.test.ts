// What the kernel relies on in Fastify and Node: a server gives back its address, and goes on with what is open.
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import Fastify from 'fastify'
import { test } from 'tap'
import { serversOf, stopAccepting } from './stop-accepting.ts'

test('the servers of all addresses are found, also those that Fastify keeps to itself', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.listen({ host: 'localhost', port: 0 })
  t.equal(serversOf(app).length, app.addresses().length)
  t.ok(serversOf(app).every(({ listening }) => listening))
})

test('an open connection goes on after it, a new one is refused, and the close works', async (t) => {
  const app = Fastify()
  app.get('/', async () => 'here')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (from: Agent) => {
    const request = get({ host: '127.0.0.1', port, agent: from })
    const [response] = await once(request, 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  t.equal(await ask(agent), 200)
  for (const server of serversOf(app)) stopAccepting(server)
  t.equal(await ask(agent), 200, 'on the connection that is open')
  await t.rejects(ask(new Agent()), { code: 'ECONNREFUSED' })
  agent.destroy()
  await app.close()
})
