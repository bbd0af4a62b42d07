// Addresses that are not there: JSON for programs and API addresses, a page for people.
import { prefersHtml } from '@keelson/ui/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Documents } from './documents.ts'
import { isBelow } from './place.ts'

/** Addresses that only programs use, beside `/api` under each mount. */
const FOR_PROGRAMS = ['/shell', '/embed', '/health', '/metrics', '/_assets']

export function answerNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  documents: Documents
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? request.url
  const isForPrograms = /\/api(\/|$)/.test(path) || FOR_PROGRAMS.some((base) => isBelow(path, base))
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && !isForPrograms && prefersHtml(request.headers.accept)) {
    return documents.notFound(reply)
  }
  return reply.code(404).send({ error: 'not_found' })
}
