// Platform tools as a plugin: MCP over HTTP, for access tokens of the OAuth host.
import {
  type CorsPolicy,
  definePlugin,
  errorBody,
  errorBodySchema,
  type Host,
  Type
} from '@keelson/sdk'
import { mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { accessOf } from '@keelson/sdk/contracts/oauth-protect'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownTools, type SampleMail } from './own-tools.ts'
import manifest from './plugin.json' with { type: 'json' }
import { contributedTool, type ServedTool } from './served-tool.ts'
import { createServer, scopesOfMessages, type Tools } from './server.ts'

const EVERY_ORIGIN: CorsPolicy = {
  origin: '*',
  methods: ['POST'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'accept',
    'dpop',
    'mcp-protocol-version',
    'mcp-session-id',
    'last-event-id'
  ],
  exposedHeaders: ['WWW-Authenticate', 'DPoP-Nonce', 'Mcp-Session-Id']
}

/** Scopes that a client without a token is told to ask for. The others are asked for when a tool needs them. */
const FIRST_SCOPES = ['telemetry:read', 'mail:read']

const message = Type.Object({ jsonrpc: Type.Literal('2.0') }, { additionalProperties: true })

function register(host: Host): void {
  const samples = host.collection<SampleMail>('tools_samples')
  const own = ownTools((sample) => samples.insertOne({ ...sample, at: host.clock.now() }))
  const tools = new Map<string, ServedTool>(own.map((tool) => [tool.name, tool]))
  host.onReady(() => {
    // The first of a name is served.
    for (const tool of host.contributions(mcpTools).flat()) {
      if (!tools.has(tool.name)) tools.set(tool.name, contributedTool(tool))
    }
  })
  host.route({
    method: 'POST',
    path: '/',
    cors: EVERY_ORIGIN,
    schema: {
      body: Type.Union([message, Type.Array(message)], { description: 'MCP messages.' }),
      response: { 200: message }
    },
    scopes: ({ headers, body }) =>
      headers.authorization === undefined ? FIRST_SCOPES : scopesOfMessages(body, tools),
    handler: (request, reply) => serve(request, reply, { host, tools })
  })
  for (const method of ['GET', 'DELETE'] as const) {
    host.route({
      method,
      path: '/',
      cors: EVERY_ORIGIN,
      schema: { response: { 405: errorBodySchema } },
      handler: (_request, reply) =>
        reply
          .header('allow', 'POST')
          .code(405)
          .send(errorBody({ error: 'method_not_allowed', message: 'Use POST.' }))
    })
  }
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  { host, tools }: { readonly host: Host; readonly tools: Tools }
): Promise<void> {
  const access = accessOf(request)
  if (access === undefined)
    throw new TypeError('the guard admitted a request without an access token')
  const server = createServer(tools, {
    access,
    viewer: () => host.use(oauthPeople).viewerOf(access.userId),
    logFailure: (err, tool) => request.log.error({ err, tool }, 'a tool failed')
  })
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  // From here the transport answers: the headers that hooks added go along.
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.once('close', () => void server.close())
  // Its optional callbacks are typed without `undefined`.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request.raw, reply.raw, request.body)
}

export default definePlugin({ manifest, register })
