// MCP over Streamable HTTP for both revisions: 2026-07-28, and those from before. Every request stands alone.
import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ToolCaller } from './served-tool.ts'
import type { Era } from './task-handlers.ts'

/** Answers the messages of requests whose caller is known. */
export interface McpEndpoint {
  answer(request: FastifyRequest, reply: FastifyReply, caller: ToolCaller): Promise<Response>
  /** Ends the streams that are open. */
  close(): Promise<void>
}

/** What an endpoint is made from. */
export interface EndpointParts {
  /** A server for one request. */
  createServer(caller: ToolCaller, era: Era): Server
  /** Whether a client of the revisions before 2026-07-28 waits for progress: then the answer is a stream. */
  wantsProgress(body: unknown): boolean
}

/** The endpoint. It keeps nothing between requests. */
export function createEndpoint({ createServer, wantsProgress }: EndpointParts): McpEndpoint {
  const callers = new WeakMap<Request, ToolCaller>()
  const serverFor = ({ requestInfo, era }: McpRequestContext): Server => {
    const caller = requestInfo && callers.get(requestInfo)
    if (caller === undefined) throw new TypeError('a request came past the token check')
    return createServer(caller, era)
  }
  const current = createMcpHandler(serverFor, { legacy: 'reject' })
  const streamed = legacyStatelessFallback(serverFor)
  return {
    async answer(incoming, reply, caller) {
      const request = webRequest(incoming, reply)
      callers.set(request, caller)
      const { body: parsedBody } = incoming
      if (!(await isLegacyRequest(request, parsedBody)))
        return current.fetch(request, { parsedBody })
      if (wantsProgress(parsedBody)) return streamed(request, { parsedBody })
      return answerAtOnce(createServer(caller, 'legacy'), request, parsedBody)
    },
    close: () => current.close()
  }
}

/** One JSON body, which the clients before 2026-07-28 take as well as a stream. */
async function answerAtOnce(
  server: Server,
  request: Request,
  parsedBody: unknown
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // Without a server the response never comes: a client that is gone must not keep one.
  request.signal.addEventListener('abort', () => void server.close(), { once: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody })
  await server.close()
  return response
}

/** The request as `fetch` knows it. Its body was read by Fastify; its signal tells that the client is gone. */
function webRequest(
  { headers, host, protocol, url }: FastifyRequest,
  reply: FastifyReply
): Request {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)] as [string, string]]
  )
  const address = new URL(url, `${protocol}://${host === '' ? 'localhost' : host}`)
  return new Request(address, { method: 'POST', headers: pairs, signal: gone.signal })
}
