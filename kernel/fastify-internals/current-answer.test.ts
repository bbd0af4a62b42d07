// What the kernel relies on in Node: a socket of a server has the answer that it is at.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Test, test } from 'tap'
import { silentServer } from '../testing/silent-server.ts'
import { currentAnswer } from './current-answer.ts'

/** The current answer of a connection when it opens, when all requests have come, and when the first is answered. */
async function currentAnswers(t: Test, requests: number) {
  const { server, answers, pipeline } = await silentServer(t)
  const seen: (ServerResponse | undefined)[] = []
  server.once('connection', (socket: Socket) => seen.push(currentAnswer(socket)))
  const connections = once(server, 'connection')
  await pipeline(requests)
  const [socket] = (await connections) as [Socket]
  seen.push(currentAnswer(socket))
  const [first] = answers
  first?.end()
  await once(first as ServerResponse, 'close')
  seen.push(currentAnswer(socket))
  return { answers, seen }
}

test('a connection has its answer until it is sent', async (t) => {
  const { answers, seen } = await currentAnswers(t, 1)
  t.equal(seen[0], undefined)
  t.equal(seen[1], answers[0])
  t.equal(seen[2], undefined)
})

test('of pipelined requests, a connection has the first answer that is not sent', async (t) => {
  const { answers, seen } = await currentAnswers(t, 2)
  t.equal(seen[1], answers[0])
  t.equal(seen[2], answers[1])
})
