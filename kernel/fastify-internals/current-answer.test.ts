// What the kernel relies on in Node: a socket of a server has the answer that it is at.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import { currentAnswer } from './current-answer.ts'

/** A server that keeps its answers, and a connection to it. */
async function connected(t: Test) {
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => void answers.push(answer)).listen(
    0,
    '127.0.0.1'
  )
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  t.teardown(() => {
    client.destroy()
    server.close()
  })
  const send = async (times: number) => {
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(times))
    while (answers.length < times) await once(server, 'request')
  }
  return { answers, socket, send }
}

test('a connection has its answer until it is sent', async (t) => {
  const { answers, socket, send } = await connected(t)
  t.equal(currentAnswer(socket), undefined)
  await send(1)
  t.equal(currentAnswer(socket), answers[0])
  answers[0]?.end()
  await once(answers[0] as ServerResponse, 'close')
  t.equal(currentAnswer(socket), undefined)
})

test('of pipelined requests, a connection has the first answer that is not sent', async (t) => {
  const { answers, socket, send } = await connected(t)
  await send(2)
  t.equal(currentAnswer(socket), answers[0])
  answers[0]?.end()
  await once(answers[0] as ServerResponse, 'close')
  t.equal(currentAnswer(socket), answers[1])
})
