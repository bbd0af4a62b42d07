// MCP over Streamable HTTP: every request stands alone. Agent tokens are taken, and access tokens of the OAuth host.
import {
  type CorsPolicy,
  corsConfig,
  errorBody,
  isOriginKnown,
  isRefusal,
  originRule,
  type Refusal,
  refuse,
  sendRefusal,
  type Viewer
} from '@keelson/sdk'
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import { accessOf, type OAuthAccess, type Protection } from '@keelson/sdk/contracts/oauth-protect'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AgentHost } from '../agent-host.ts'
import type { AgentParts } from '../agent-parts.ts'
import { errorAnswer } from '../answers/error-answer.ts'
import { refusals } from '../answers/refusals.ts'
import { agentOperations } from '../operations/all-operations.ts'
import { AGENT_SCOPES, type Caller } from '../tokens/token-register.ts'
import { createVerifier } from '../tokens/verify-callers.ts'
import { contributedTool } from './contributed-tool.ts'
import { type OperationTools, operationTool } from './operation-tool.ts'
import type { ServedTool, ToolCaller } from './served-tool.ts'
import { createServer, scopesOfMessages, type Tools, wantsProgress } from './server.ts'
import { whoamiTool } from './whoami-tool.ts'

/** How access tokens are checked, and whose they are. */
export interface McpPeople {
  /** Makes the check of the requests' access tokens; undefined when only agent tokens are taken. */
  protect(
    scopesOf: (request: FastifyRequest) => readonly string[],
    firstScopes: readonly string[]
  ): Protection | undefined
  /** The person behind an access token; null for one who is gone. */
  viewerOf(userId: string): Promise<Viewer | null>
  /** Whether a person may use the mailer: its administrators. */
  mayUse(viewer: Viewer): boolean
}

/** Options of the MCP endpoint. */
export interface McpOptions {
  /** Default: agent tokens only. */
  readonly people?: McpPeople
  /** Tools of other plugins. The first of a name is served. */
  readonly tools?: () => readonly McpTool[]
  /**
   * Addresses of sites whose pages may call with an agent token, beside the address of the request itself.
   * Default: none.
   */
  readonly origins?: readonly string[]
  /**
   * Addresses of sites whose pages may call with an access token, which no page has unless a person gave it.
   * Default: all sites.
   */
  readonly peopleOrigins?: readonly string[]
  /**
   * Scopes of the first challenge: those of tools that read, of all tools, or these. Clients that do not step up
   * by themselves need all at once. Default `reading`.
   */
  readonly firstScopes?: 'reading' | 'all' | readonly string[]
  /** Where the routes of the agent API are, for links. Default `/agent`. */
  readonly agentMount?: string
}

const BODY_LIMIT = 8 * 1024 * 1024
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

interface Served {
  readonly host: AgentHost
  readonly tools: Tools
  readonly people: McpPeople | undefined
  readonly callers: WeakMap<FastifyRequest, Caller>
}

/** What the kernel does for a route of the band `machine`. */
async function hold(
  verify: (request: FastifyRequest) => unknown,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply | undefined> {
  const found = verify(request)
  return isRefusal(found) ? sendRefusal(reply, found) : undefined
}

/** The endpoint, as a Fastify plugin. */
export function createMcpRoutes(
  parts: AgentParts,
  options: McpOptions & { readonly isGuarded?: boolean }
): FastifyPluginAsync {
  const { people, agentMount = '/agent', origins = [], isGuarded = false } = options
  const rule = originRule(undefined, origins)
  const peopleRule = options.peopleOrigins && originRule(undefined, options.peopleOrigins)
  return async (app) => {
    const { host, closing } = parts.open(app)
    const answers = parts.keptAnswers(host)
    const tools = toolsOf({ host, closing, answers }, { ...options, agentMount })
    const served: Served = { host, tools, people, callers: new WeakMap() }
    const verifier = createVerifier(parts.admit, agentMount)
    const protection = people?.protect(
      ({ body }) => scopesOfMessages(body, tools),
      firstScopesOf(tools, options.firstScopes)
    )
    // An access token is looked at when its scopes are known, and so is a request without any.
    const verify = (request: FastifyRequest): Caller | Refusal | 'unknown' => {
      const { authorization } = request.headers
      const known = parts.tokens.callerOf(authorization, host.context.clock.now())
      // An agent token is on the machine of a person, whose browser shows pages of every site.
      const own = known === undefined ? peopleRule : rule
      if (own !== undefined && !isOriginKnown(own, request))
        return refuse(errorAnswer(refusals.refuse('foreign_origin'), agentMount))
      if (known === undefined)
        return protection === undefined ? verifier.verify(request) : 'unknown'
      served.callers.set(request, known)
      return known
    }
    // Fastify adds the same address with a slash at its end: people paste connectors with one.
    app.post('/', {
      bodyLimit: BODY_LIMIT,
      config: { ...corsConfig(EVERY_ORIGIN), verify } as object,
      onRequest: async (request, reply) => (isGuarded ? undefined : hold(verify, request, reply)),
      preHandler: async (request, reply) =>
        served.callers.has(request) ? undefined : protection?.(request, reply),
      handler: (request, reply) => serve(request, reply, served)
    })
    for (const method of ['GET', 'DELETE'] as const) {
      app.route({
        method,
        url: '/',
        config: corsConfig(EVERY_ORIGIN),
        handler: (_request, reply) =>
          reply
            .header('allow', 'POST')
            .code(405)
            .send(errorBody({ error: 'method_not_allowed', message: 'Use POST.' }))
      })
    }
  }
}

function toolsOf(
  parts: Pick<OperationTools, 'host' | 'closing' | 'answers'>,
  { people, tools: contributed, agentMount: mount = '' }: McpOptions
): Tools {
  const mayUse = (viewer: Viewer) => people?.mayUse(viewer) === true
  const all = [
    whoamiTool,
    ...agentOperations.map((operation) => operationTool(operation, { ...parts, mount, mayUse })),
    ...(contributed?.() ?? []).map(contributedTool)
  ]
  const byName = new Map<string, ServedTool>()
  for (const tool of all) if (!byName.has(tool.listed.name)) byName.set(tool.listed.name, tool)
  return byName
}

/** Scopes of the first challenge. Clients get the others by step-up. */
function firstScopesOf(
  tools: Tools,
  wanted: McpOptions['firstScopes'] = 'reading'
): readonly string[] {
  if (typeof wanted !== 'string') return wanted
  const isFirst = ({ listed }: ServedTool) => wanted === 'all' || listed.annotations.readOnlyHint
  return [...new Set([...tools.values()].filter(isFirst).flatMap(({ scopes }) => scopes))]
}

async function serve(request: FastifyRequest, reply: FastifyReply, served: Served): Promise<void> {
  const { host, tools, people } = served
  const caller = callerOf(request, served)
  const server = createServer({
    tools,
    caller,
    host,
    async mayUse() {
      if (caller.access === undefined) return true
      const viewer = await caller.viewer()
      return viewer !== null && people?.mayUse(viewer) === true
    }
  })
  const enableJsonResponse = !wantsProgress(request.body, tools)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse })
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

function callerOf(request: FastifyRequest, { callers, people }: Served): ToolCaller {
  const { ip, id: requestId, log } = request
  const known = callers.get(request)
  if (known !== undefined) return { caller: known, viewer: async () => null, ip, requestId, log }
  const access = accessOf(request)
  if (access === undefined) throw new TypeError('a request came past the token check')
  const { userId, clientId } = access
  let viewer: Promise<Viewer | null> | undefined
  return {
    caller: callerOfAccess(access),
    access: { userId, clientId },
    viewer() {
      viewer ??= people?.viewerOf(userId) ?? Promise.resolve(null)
      return viewer
    },
    ip,
    requestId,
    log
  }
}

/** The person behind an access token, as the audit log names them. */
function callerOfAccess({ clientId, userId, scopes }: OAuthAccess): Caller {
  return {
    actor: `oauth:${clientId}:${userId}`,
    scopes: AGENT_SCOPES.filter((scope) => scopes.includes(scope))
  }
}
