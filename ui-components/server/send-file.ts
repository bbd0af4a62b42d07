// Answers with a file, in the compressed form that lies beside it where the client takes one.
import { basename, dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const YEAR_SECONDS = 31_536_000
const FIVE_MINUTES = 'public, max-age=300, must-revalidate'

/** Prepares an encapsulated instance for the functions of this module. The host may use @fastify/static itself. */
export async function prepareFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, { serve: false, preCompressed: true, index: false })
}

/** Sends a file whose address holds the hash of its content: clients keep it for a year. */
export function sendImmutable(reply: FastifyReply, path: string): FastifyReply {
  reply.header('x-content-type-options', 'nosniff')
  return reply.sendFile(basename(path), dirname(path), {
    maxAge: YEAR_SECONDS * 1000,
    immutable: true
  })
}

/** Sends a file whose address stays while its content may change. */
export function sendRevalidated(reply: FastifyReply, path: string): FastifyReply {
  reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': FIVE_MINUTES })
  return reply.sendFile(basename(path), dirname(path), { cacheControl: false })
}

// The shape that errorBody of @keelson/sdk makes, which browser packages do not depend on.
const MISSING = { error: 'not_found', code: 'not_found', message: 'There is no such file.' }

/** The answer where there is no such file. */
export function sendMissing(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('cache-control', 'no-store').send(MISSING)
}
