// Platform tools as a plugin: MCP over HTTP, let in by the OAuth host.
import { definePlugin, type Host } from '@keelson/sdk'
import { accessOf, oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import manifest from './plugin.json' with { type: 'json' }
import { createServer, type SampleMail, scopesOfMessages } from './server.ts'

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, DPoP-Nonce, Mcp-Session-Id',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, dpop, mcp-protocol-version, mcp-session-id, last-event-id'
}

function register(host: Host): void {
  const protect = host.use(oauthProtect)
  const samples = host.collection<SampleMail>('tools_samples')
  const guard = protect([], {
    challengeScopes: ['telemetry:read', 'mail:read'],
    scopesOf: (request) => scopesOfMessages(request.body)
  })
  host.fastify.post('/', { preHandler: guard }, (request, reply) =>
    serve(request, reply, async (to, { userId, clientId }) => {
      const sample = { to, userId, clientId, at: host.clock.now() }
      await samples.insertOne({ ...sample })
      return sample
    })
  )
  host.route({
    method: 'OPTIONS',
    path: '/',
    handler: (_request, reply) => reply.headers(CORS).code(204).send()
  })
  for (const method of ['GET', 'DELETE'] as const) {
    host.route({
      method,
      path: '/',
      handler: (_request, reply) =>
        reply
          .headers({ ...CORS, allow: 'POST' })
          .code(405)
          .send({ error: 'method_not_allowed' })
    })
  }
}

type Keep = (to: string, access: { userId: string; clientId: string }) => Promise<SampleMail>

async function serve(request: FastifyRequest, reply: FastifyReply, keep: Keep): Promise<void> {
  const access = accessOf(request)
  if (access === undefined) throw new TypeError('protect let a request in without its access')
  const server = createServer(access, (to) => keep(to, access))
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  // From here on the transport answers.
  reply.hijack()
  for (const [name, value] of Object.entries(CORS)) reply.raw.setHeader(name, value)
  reply.raw.once('close', () => void server.close())
  // Its optional callbacks are typed without `undefined`.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request.raw, reply.raw, request.body)
}

export default definePlugin({ manifest, register })
