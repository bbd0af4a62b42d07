// Answers in hand end their connections when the host drains.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'tap'
import { silentServer } from '../testing/silent-server.ts'
import { watchConnections } from './connections.ts'

test('an answer that has not begun says close, one that has begun stays as it is', async (t) => {
  const { server, answers, port } = await silentServer(t)
  const connections = watchConnections(server)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const send = async () => {
    const responses = once(request({ port, agent }).end(), 'response')
    await once(server, 'request')
    return { responses }
  }
  const begun = await send()
  answers[0]?.flushHeaders()
  const waiting = await send()
  connections.sendClose(2)
  for (const answer of answers) answer.end()
  const [first] = await begun.responses
  const [second] = await waiting.responses
  t.equal(first.headers.connection, 'keep-alive')
  t.equal(second.headers.connection, 'close')
  first.resume()
  second.resume()
})

test('pipelined answers stay as they are', async (t) => {
  const { server, answers, pipeline } = await silentServer(t)
  const connections = watchConnections(server)
  const client = await pipeline(2)
  connections.sendClose(2)
  for (const answer of answers) answer.end('answered')
  let received = ''
  while (received.split('answered').length < 3) received += String((await once(client, 'data'))[0])
  t.notMatch(received, 'close')
})
