// Runs one route of the API for one request: of the factory or of the kernel plugin.
import type { Viewer } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from './answer-error.ts'
import type { ApiAnswer, ApiContext, ApiRoute } from './route.ts'

/** Sends an answer. It is of one viewer and one moment: no cache may keep it. */
export function sendAnswer(reply: FastifyReply, { status, body }: ApiAnswer): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(body)
}

/** Answers for an error. What the answer hides is logged. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = answerError(error)
  if (answer.status >= 500) request.log.error({ err: error }, 'a dashboard request failed')
  return sendAnswer(reply, answer)
}

/** The value of the address for the route's `*` or `:id`. */
function subjectOf(request: FastifyRequest): string {
  const values = Object.values(request.params as Readonly<Record<string, string>>)
  return values[0] ?? ''
}

/** Without a `viewerRef` that is text: viewers with an empty one would share their private views. */
function withIdentity(viewer: Viewer): Viewer {
  const { viewerRef, ...rest } = viewer as Omit<Viewer, 'viewerRef'> & { viewerRef?: unknown }
  return typeof viewerRef === 'string' && viewerRef.trim() !== '' ? viewer : rest
}

/** Answers a request of a viewer whom the gate let in. */
export async function handle(
  route: ApiRoute,
  context: ApiContext,
  viewer: Viewer,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  try {
    const { query, body, log } = request
    const given = {
      viewer: withIdentity(viewer),
      query: query as object,
      subject: subjectOf(request),
      body,
      log
    }
    return sendAnswer(reply, await route.answer(given, context))
  } catch (error) {
    return sendError(error, request, reply)
  }
}
