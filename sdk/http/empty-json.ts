// Requests that say they are JSON and have no body.
import type { FastifyInstance } from 'fastify'

/**
 * Makes an empty JSON body count as none, where Fastify answers 400: a DELETE often comes with the
 * content type and nothing else. Call it on the scope whose routes shall take such requests.
 */
export function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
