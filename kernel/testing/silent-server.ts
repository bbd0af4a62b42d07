// A server of node:http that keeps its answers until a test ends them.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Test } from 'tap'

export async function silentServer(t: Test) {
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => void answers.push(answer))
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    answers,
    port,
    /** Sends requests over one connection without waiting for answers; resolves when all have come. */
    async pipeline(times: number) {
      const client = connect(port, '127.0.0.1')
      t.teardown(() => client.destroy())
      client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(times))
      while (answers.length < times) await once(server, 'request')
      return client
    }
  }
}
