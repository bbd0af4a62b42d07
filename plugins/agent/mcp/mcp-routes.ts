// The route of MCP: who calls, by agent token or access token of the OAuth host, and from which sites.
import {
  atFirstUse,
  type CorsPolicy,
  corsConfig,
  isRefusal,
  type Refusal,
  refuse,
  sendRefusal,
  type Viewer
} from '@keelson/sdk'
import type { McpTool } from '@keelson/sdk/contracts/mcp-tools'
import type { McpViews } from '@keelson/sdk/contracts/mcp-views'
import {
  accessOf,
  actorNameOf,
  type OAuthAccess,
  type Protection
} from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AgentHost } from '../agent-host.ts'
import type { AgentParts, OpenAgent } from '../agent-parts.ts'
import { errorAnswer } from '../answers/error-answer.ts'
import { errorDocs } from '../answers/error-docs.ts'
import { refusals } from '../answers/refusals.ts'
import { AGENT_SCOPES } from '../tokens/reach.ts'
import type { Caller } from '../tokens/token-register.ts'
import { createVerifier } from '../tokens/verify-callers.ts'
import { contributedTool } from './contributed-tool.ts'
import type { EndpointParts, McpEndpoint } from './endpoint.ts'
import { bodyError, methodNotAllowed } from './json-rpc-errors.ts'
import { mailerViews } from './mailer-views.ts'
import { scopesOfMessages, wantsProgress } from './messages.ts'
import { type OperationTools, operationTool } from './operation-tool.ts'
import { originChecks, type PeopleOrigins } from './origin-checks.ts'
import { readViewTool } from './read-view-tool.ts'
import type { ServedTool, ToolCaller, Tools } from './served-tool.ts'
import type { ServerParts } from './server.ts'
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
  /** Default `clients`. */
  readonly peopleOrigins?: PeopleOrigins
  /**
   * Scopes of the first challenge: those of tools that read, of all tools, or these. Clients that do not step up
   * by themselves need all at once. Default `reading`.
   */
  readonly firstScopes?: 'reading' | 'all' | readonly string[]
  /** Pages that assistants show beside answers of tools, of other plugins and of the mailer. Default: none. */
  readonly views?: {
    readonly contributed: () => McpViews
    readonly publicOrigin?: string
    readonly prefix: string
  }
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
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
    'last-event-id'
  ],
  exposedHeaders: ['WWW-Authenticate', 'DPoP-Nonce', 'Mcp-Session-Id']
}

interface Served {
  readonly endpoint: McpEndpoint
  readonly people: McpPeople | undefined
  readonly callers: WeakMap<FastifyRequest, Caller>
}

/** What the kernel does for a route of the band `machine`. */
async function hold(
  verify: (request: FastifyRequest) => unknown,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply | undefined> {
  const found = await verify(request)
  return isRefusal(found) ? sendRefusal(reply, found) : undefined
}

/** The endpoint, as a Fastify plugin. */
export function createMcpRoutes(
  parts: AgentParts,
  options: McpOptions & { readonly isGuarded?: boolean }
): FastifyPluginAsync {
  const { people, agentMount = '/agent', origins = [], isGuarded = false } = options
  return async (app) => {
    const { host, operations, closing } = parts.open(app)
    const docs = errorDocs(agentMount, host.operations.errors)
    const answers = parts.keptAnswers(host)
    const views = viewsOf(host, options)
    const tools = toolsOf({ host, operations, closing, answers, docs, views }, options)
    const tasks = parts.taskRuns(host, closing)
    const endpoint = lateEndpoint({
      partsOf: (caller, era) => ({
        tools,
        tasks,
        era,
        caller,
        host,
        views,
        mayUse: mayUseOf(caller, people),
        viewOrigin: {
          origin: options.views?.publicOrigin ?? caller.origin,
          prefix: options.views?.prefix ?? ''
        }
      }),
      wantsProgress: (body) => wantsProgress(body, tools)
    })
    app.addHook('preClose', async () => {
      await tasks.close()
      await endpoint.close()
    })
    const served: Served = { endpoint, people, callers: new WeakMap() }
    const verifier = createVerifier(parts.admit, docs)
    const protection = people?.protect(
      ({ body }) => scopesOfMessages(body, tools),
      firstScopesOf(tools, options.firstScopes)
    )
    const { mayAsk, mayAct } = originChecks(origins, options.peopleOrigins ?? 'clients', protection)
    const foreign = refuse(errorAnswer(refusals.refuse('foreign_origin'), docs))
    // An access token is looked at when its scopes are known, and so is a request without any.
    const verify = async (request: FastifyRequest): Promise<Caller | Refusal | 'unknown'> => {
      const { authorization } = request.headers
      const known = await parts.tokens.callerOf(authorization, host.clock.now())
      if (!mayAsk(request, known === undefined ? 'person' : 'agent')) return foreign
      if (known === undefined)
        return protection === undefined ? verifier.verify(request) : 'unknown'
      served.callers.set(request, known)
      return known
    }
    app.setErrorHandler((error, _request, reply) => {
      const answer = bodyError(error)
      if (answer === undefined) throw error
      return reply.code(answer.status).send(answer.body)
    })
    // Fastify adds the same address with a slash at its end: people paste connectors with one.
    app.post('/', {
      bodyLimit: BODY_LIMIT,
      config: { ...corsConfig(EVERY_ORIGIN), verify } as object,
      onRequest: async (request, reply) => (isGuarded ? undefined : hold(verify, request, reply)),
      preHandler: async (request, reply) => {
        if (served.callers.has(request)) return undefined
        await protection?.(request, reply)
        return reply.sent || (await mayAct(request)) ? undefined : sendRefusal(reply, foreign)
      },
      handler: async (request, reply) =>
        reply.send(await endpoint.answer(request, reply, callerOf(request, served)))
    })
    refuseOtherMethods(app)
  }
}

/** The SDK of the protocol is loaded with it. */
function lateEndpoint({
  partsOf,
  wantsProgress
}: Pick<EndpointParts, 'wantsProgress'> & {
  partsOf(...of: Parameters<EndpointParts['createServer']>): ServerParts
}): McpEndpoint {
  let made: McpEndpoint | undefined
  const load = atFirstUse(async () => {
    const [{ createEndpoint }, { createServer }] = await Promise.all([
      import('./endpoint.ts'),
      import('./server.ts')
    ])
    made = createEndpoint({ wantsProgress, createServer: (...of) => createServer(partsOf(...of)) })
    return made
  })
  return {
    answer: async (...of) => (await load()).answer(...of),
    close: async () => made?.close()
  }
}

/** There are no streams to open and no sessions to end. */
function refuseOtherMethods(app: FastifyInstance): void {
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/',
      config: corsConfig(EVERY_ORIGIN),
      handler: (_request, reply) =>
        reply.header('allow', 'POST').code(methodNotAllowed.status).send(methodNotAllowed.body)
    })
  }
}

function toolsOf(
  {
    views,
    operations,
    ...parts
  }: Omit<OperationTools, 'mayUse'> & Pick<OpenAgent, 'operations'> & { readonly views: McpViews },
  { people, tools: contributed }: McpOptions
): Tools {
  const mayUse = (viewer: Viewer) => people?.mayUse(viewer) === true
  const all = [
    whoamiTool,
    ...(views.length > 0 ? [readViewTool(views, parts)] : []),
    ...operations.map((operation) => operationTool(operation, { ...parts, mayUse })),
    ...(contributed?.() ?? []).map(contributedTool)
  ]
  const byName = new Map<string, ServedTool>()
  for (const tool of all) if (!byName.has(tool.listed.name)) byName.set(tool.listed.name, tool)
  return byName
}

function viewsOf(host: AgentHost, { views, people }: McpOptions): McpViews {
  if (views === undefined) return []
  return [...mailerViews(host, (viewer) => people?.mayUse(viewer) === true), ...views.contributed()]
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

/** Whether a caller may use the mailer at all: an agent token, or an administrator. */
const mayUseOf = (caller: ToolCaller, people: McpPeople | undefined) => async () => {
  if (caller.access === undefined) return true
  const viewer = await caller.viewer()
  return viewer !== null && people?.mayUse(viewer) === true
}

function callerOf(request: FastifyRequest, { callers, people }: Served): ToolCaller {
  const { ip, id: requestId, log, protocol, host } = request
  const origin = `${protocol}://${host}`
  const known = callers.get(request)
  if (known !== undefined)
    return { caller: known, viewer: async () => null, ip, requestId, log, origin }
  const access = accessOf(request)
  if (access === undefined) throw new TypeError('a request came past the token check')
  const { userId, clientId, scopes } = access
  let viewer: Promise<Viewer | null> | undefined
  return {
    caller: callerOfAccess(access),
    access: { userId, clientId, scopes },
    viewer() {
      viewer ??= people?.viewerOf(userId) ?? Promise.resolve(null)
      return viewer
    },
    ip,
    requestId,
    log,
    origin
  }
}

/** The person behind an access token, as the audit log names them. */
function callerOfAccess({ clientId, userId, scopes }: OAuthAccess): Caller {
  return {
    actor: actorNameOf({ clientId, userId }),
    scopes: AGENT_SCOPES.filter((scope) => scopes.includes(scope))
  }
}
