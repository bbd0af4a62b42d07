// Answers in hand end their connections when the host drains.
import { once } from 'node:events'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'tap'
import { watchConnections } from './connections.ts'

test('an answer that has not begun says close, one that has begun stays as it is', async (t) => {
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => void answers.push(answer))
  const connections = watchConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => {
    agent.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
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
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => void answers.push(answer))
  const connections = watchConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => {
    client.destroy()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2))
  while (answers.length < 2) await once(server, 'request')
  connections.sendClose(2)
  for (const answer of answers) answer.end('answered')
  let received = ''
  while (received.split('answered').length < 3) received += String((await once(client, 'data'))[0])
  t.notMatch(received, 'close')
})
