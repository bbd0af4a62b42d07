// W3C trace context: reads `traceparent`, makes ids, writes the header for outgoing calls.
// https://www.w3.org/TR/trace-context/#traceparent-header
import { randomFillSync } from 'node:crypto'

export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits: of this request. */
  readonly spanId: string
  /** Of the caller, when it sent one. */
  readonly parentId?: string
  readonly isSampled: boolean
}

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZERO_TRACE = '0'.repeat(32)
const ZERO_SPAN = '0'.repeat(16)

/** Goes on with the caller's trace when its header is valid, else begins one. */
export function traceContext(header: string | string[] | undefined): TraceContext {
  const caller = typeof header === 'string' ? readTraceparent(header) : undefined
  if (caller === undefined) return { traceId: randomHex(16), spanId: randomHex(8), isSampled: true }
  const { traceId, spanId: parentId, isSampled } = caller
  return { traceId, spanId: randomHex(8), parentId, isSampled }
}

/** The caller's ids; undefined for anything that the standard calls invalid. */
export function readTraceparent(header: string): TraceContext | undefined {
  const found = HEADER.exec(header)
  if (found === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '00', more] = found
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (traceId === ZERO_TRACE || spanId === ZERO_SPAN) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header for a call made on behalf of this request. */
export function writeTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${context.isSampled ? '01' : '00'}`
}

const POOL_BYTES = 4096
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Random hex digits; random bytes are drawn in bulk because a request needs only a few. */
function randomHex(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  const hex = pool.toString('hex', used - bytes, used)
  return /^0+$/.test(hex) ? randomHex(bytes) : hex
}
