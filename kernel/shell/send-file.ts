// Answers with a file, compressed when the client takes it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile } from './files.ts'

export const IMMUTABLE = 'public, max-age=31536000, immutable'
/** For files whose name stays while their content may change. */
export const REVALIDATED = 'public, max-age=300, must-revalidate'

/** Sends the file, or 304 when the client has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  caching: string
): FastifyReply {
  reply.headers({
    'cache-control': caching,
    etag: file.etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff'
  })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.type(file.type)
  if (file.gzip === undefined || !takesGzip(request.headers['accept-encoding'])) {
    return reply.send(file.body)
  }
  return reply.header('content-encoding', 'gzip').send(file.gzip)
}

function takesGzip(header: string | string[] | undefined): boolean {
  const names = String(header ?? '').split(',')
  return names.some((name) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(name))
}
