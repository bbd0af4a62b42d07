// A vendor's API on this machine that behaves in one way: it answers, cuts the connection or stays silent.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Teardown } from '@keelson/sdk/testing'

/** One request as it arrived. */
export interface VendorRequestSeen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What the server does with each request, once it is read. */
export type Behaviour = (response: ServerResponse, request: VendorRequestSeen) => void

/** A server and what it saw. */
export interface VendorServer {
  readonly url: string
  readonly requests: VendorRequestSeen[]
}

/** Starts a server; it stops when the test ends. */
export async function vendorServer(t: Teardown, behave: Behaviour): Promise<VendorServer> {
  const requests: VendorRequestSeen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const seen = { method, path, headers, body: Buffer.concat(chunks) }
      requests.push(seen)
      behave(response, seen)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, requests }
}

/** An answer with a JSON body. */
export const answers =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
