// Exceptions as error records: of spans and of log records, each once.
import { createHash } from 'node:crypto'
import { framesOf } from '../envelope/stack-frames.ts'
import type { ErrorFrame } from '../schemas/envelope.ts'
import type { DraftContext, OtlpDraft } from './draft.ts'

const OWN_KEYS = ['exception.type', 'exception.message', 'exception.stacktrace'] as const
/** What is known of the request and the person, and holds for its exceptions. */
const INHERITED = /^(?:http|url|user|enduser|session|client|rpc|messaging|faas)\./

/** An exception where it was recorded. */
export interface Recorded {
  readonly attributes: ReadonlyMap<string, string>
  readonly occurredAt: number | undefined
  readonly nanos: number | undefined
  readonly traceId: unknown
  readonly spanId: unknown
  readonly severity: 'error' | 'fatal'
  /** It ended what it was thrown in, as far as is known. */
  readonly isFatal: boolean
  /** Of the record, when no span is known. */
  readonly id: string
}

/**
 * The error record. One exception of a span is one record, whether the span, a log record or both tell of it, in
 * whatever request: its id is made of the span and of what was thrown where.
 */
export function exceptionDraft(recorded: Recorded, count: DraftContext['exceptions']): OtlpDraft {
  const attributes = new Map(recorded.attributes)
  const [type, message, stack] = OWN_KEYS.map((key) => attributes.get(key) ?? '') as [
    string,
    string,
    string
  ]
  for (const key of OWN_KEYS) attributes.delete(key)
  const { traceId, spanId, severity, occurredAt, nanos } = recorded
  const frames = framesOf(stack)
  const escaped = attributes.get('exception.escaped')?.toLowerCase()
  return {
    name: 'otlp.exception',
    id: idOf(recorded, thrownBy(type, message, frames), count),
    occurredAt,
    nanos,
    attributes,
    content: {
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId }),
      severity,
      error: {
        type: type === '' ? 'Error' : type,
        message,
        handled: escaped !== 'true' && !recorded.isFatal,
        frames
      },
      ...(stack !== '' && { body: stack })
    }
  }
}

/** Where it was thrown; the message without a stack. An SDK may word it otherwise in a log record than on a span. */
function thrownBy(type: string, message: string, [innermost]: readonly ErrorFrame[]): string {
  if (innermost === undefined) return `${type}\n${message}`
  const { filename = '', fn = '', lineno = 0 } = innermost
  return `${type}\n${filename} ${fn} ${lineno}`
}

function idOf(
  { traceId, spanId, id }: Recorded,
  thrown: string,
  count: DraftContext['exceptions']
): string {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return `${id}-e`
  const hash = createHash('sha256').update(thrown).digest('hex').slice(0, 10)
  const own = `${traceId}${spanId}-x${hash}`
  const before = count.get(own) ?? 0
  count.set(own, before + 1)
  return before === 0 ? own : `${own}-${before}`
}

/** Adds what an exception takes over from the span it happened in. */
export function inherit(into: Map<string, string>, span: ReadonlyMap<string, string>): void {
  for (const [key, value] of span) if (INHERITED.test(key) && !into.has(key)) into.set(key, value)
}
