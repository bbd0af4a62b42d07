// Answers JSON that is long and full of repetitions, compressed for clients that take it.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** `gzip` named, and not refused with `q=0`. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0?\.\d*[1-9]))/i

/** For answers that hold neither a secret nor what the request says: their length would tell. */
export async function sendCompressed(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  value: object
): Promise<FastifyReply> {
  if (!TAKES_GZIP.test(String(headers['accept-encoding'] ?? ''))) return reply.send(value)
  const body = await compress(JSON.stringify(value))
  return reply
    .header('content-encoding', 'gzip')
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}
