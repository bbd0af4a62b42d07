// OTLP answers in the encoding of the request: success, partial success, and google.rpc.Status for faults.
import type { FastifyReply } from 'fastify'
import type { Signal } from './messages.ts'
import type { Encoding } from './read-request.ts'

const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const

const REJECTED = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints'
} as const satisfies Record<Signal, string>

/** gRPC codes of the faults we have. */
const GRPC = { 400: 3, 401: 16, 403: 7, 413: 8, 415: 3, 429: 8, 500: 13, 503: 14 } as const
export type FaultStatus = keyof typeof GRPC

/** Everything was taken, or all but some. */
export function sendTaken(
  reply: FastifyReply,
  signal: Signal,
  encoding: Encoding,
  rejected: number,
  problem: string | undefined
): FastifyReply {
  reply.code(200).type(TYPES[encoding])
  if (encoding === 'json') {
    const partial = { [REJECTED[signal]]: String(rejected), errorMessage: problem ?? '' }
    return reply.send(jsonBytes(rejected === 0 ? {} : { partialSuccess: partial }))
  }
  if (rejected === 0) return reply.send(Buffer.alloc(0))
  const partial = Buffer.concat([
    Buffer.from([0x08]),
    varint(rejected),
    lengthField(0x12, Buffer.from(problem ?? ''))
  ])
  return reply.send(lengthField(0x0a, partial))
}

export function sendFault(
  reply: FastifyReply,
  encoding: Encoding,
  status: FaultStatus,
  message: string,
  retryAfterSeconds?: number
): FastifyReply {
  reply.code(status).type(TYPES[encoding]).header('cache-control', 'no-store')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const code = GRPC[status]
  if (encoding === 'json') return reply.send(jsonBytes({ code, message }))
  return reply.send(
    Buffer.concat([Buffer.from([0x08, code]), lengthField(0x12, Buffer.from(message))])
  )
}

// Bytes, because Fastify adds a charset to the type of text.
const jsonBytes = (value: object) => Buffer.from(JSON.stringify(value))

function lengthField(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest & 127) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
