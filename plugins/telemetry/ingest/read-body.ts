// Reads a request's body within bounds, compressed or not, after the gate has let it in.
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'

export type BodyReading =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly fault: 'too_large' | 'malformed' | 'encoding' }

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate)
}
/** So many times the limit is read and thrown away, so that the sender hears why instead of a broken pipe. */
const POLITENESS = 8

/** The body as sent, at most `limit` bytes both before and after decompression. */
export async function readBody(
  payload: Readable,
  encoding: string | undefined,
  limit: number
): Promise<BodyReading> {
  const name = (encoding ?? 'identity').trim().toLowerCase()
  if (name !== 'identity' && !(name in DECODERS)) return { ok: false, fault: 'encoding' }
  const bytes = await collect(payload, limit)
  if (bytes === undefined) return { ok: false, fault: 'too_large' }
  return name === 'identity'
    ? { ok: true, bytes }
    : decompress(bytes, DECODERS[name as keyof typeof DECODERS], limit)
}

async function collect(payload: Readable, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size <= limit) chunks.push(bytes)
    else chunks.length = 0
    if (size > limit * POLITENESS) break
  }
  return size > limit ? undefined : Buffer.concat(chunks)
}

async function decompress(
  bytes: Buffer,
  decode: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>,
  limit: number
): Promise<BodyReading> {
  try {
    return { ok: true, bytes: await decode(bytes, { maxOutputLength: limit }) }
  } catch (error) {
    const isBomb = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return { ok: false, fault: isBomb ? 'too_large' : 'malformed' }
  }
}

/** The body as JSON, or undefined when it is none. */
export function parseJson(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return undefined
  }
}
