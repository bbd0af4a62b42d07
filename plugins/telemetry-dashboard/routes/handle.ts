// Runs one route of the API for one request, whoever serves it: the factory or the kernel plugin.
import type { Viewer } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from './answer-error.ts'
import { paramsOf } from './parameters.ts'
import type { ApiAnswer, ApiContext, ApiRoute } from './route.ts'

/** Puts an answer on the wire. Answers are of one viewer and one moment: nobody keeps them. */
export function sendAnswer(reply: FastifyReply, { status, body }: ApiAnswer): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** Answers for an error; what is told to nobody is logged. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = answerError(error)
  if (answer.status >= 500) request.log.error({ err: error }, 'a dashboard request failed')
  return sendAnswer(reply, answer)
}

/** What the address holds in place of the route's `*` or `:id`. */
function subjectOf(request: FastifyRequest): string {
  const values = Object.values(request.params as Readonly<Record<string, string>>)
  return values[0] ?? ''
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
    const answer = await route.answer(
      {
        viewer,
        params: paramsOf(request.raw.url ?? ''),
        subject: subjectOf(request),
        body: request.body,
        log: request.log
      },
      context
    )
    return sendAnswer(reply, answer)
  } catch (error) {
    return sendError(error, request, reply)
  }
}
