// OTLP answers in the encoding of the request: success, partial success, and google.rpc.Status for faults.
import type { RefusalAnswer } from '@keelson/sdk'
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

/** Everything was taken, or all but some. A problem without rejected items is a warning, as the protocol has it. */
export function sendTaken(
  reply: FastifyReply,
  signal: Signal,
  encoding: Encoding,
  rejected: number,
  problem: string | undefined
): FastifyReply {
  const isWhole = rejected === 0 && problem === undefined
  reply.code(200).type(TYPES[encoding])
  if (encoding === 'json') {
    const partial = { [REJECTED[signal]]: String(rejected), errorMessage: problem ?? '' }
    return reply.send(jsonBytes(isWhole ? {} : { partialSuccess: partial }))
  }
  if (isWhole) return reply.send(Buffer.alloc(0))
  const partial = Buffer.concat([
    Buffer.from([0x08]),
    varint(rejected),
    lengthField(0x12, Buffer.from(problem ?? ''))
  ])
  return reply.send(lengthField(0x0a, partial))
}

export interface OtlpFault {
  readonly status: FaultStatus
  readonly message: string
  readonly retryAfterSeconds?: number
}

/** A fault in the encoding of its request. */
export function faultAnswer(encoding: Encoding, fault: OtlpFault): RefusalAnswer {
  const { status, message, retryAfterSeconds } = fault
  const code = GRPC[status]
  return {
    status,
    headers: {
      'content-type': TYPES[encoding],
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) })
    },
    body:
      encoding === 'json'
        ? jsonBytes({ code, message })
        : Buffer.concat([Buffer.from([0x08, code]), lengthField(0x12, Buffer.from(message))])
  }
}

export function sendFault(reply: FastifyReply, encoding: Encoding, fault: OtlpFault): FastifyReply {
  const { status, headers = {}, body } = faultAnswer(encoding, fault)
  return reply.code(status).headers(headers).send(body)
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
