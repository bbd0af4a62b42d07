// A span from its beginning to its one record, for every client.
import { randomHex, traceparentOf } from './identifiers.ts'
import type { ClientRecord, ClientSpan, RecordDetails } from './record.ts'

/** Begins a span: of the details' trace, else of the outer one, else of a new trace. */
export function beginSpan(
  name: string,
  details: RecordDetails,
  record: (name: string, details: Partial<ClientRecord>) => void,
  outer: { readonly traceId?: string; readonly spanId?: string } = {}
): ClientSpan {
  const traceId = details.traceId ?? outer.traceId ?? randomHex(16)
  const spanId = randomHex(8)
  const parent = outer.spanId === undefined ? {} : { parentId: outer.spanId }
  const startedAt = performance.now()
  const occurredAt = Date.now()
  let isOver = false
  return {
    traceId,
    spanId,
    traceparent: traceparentOf(traceId, spanId),
    end(more = {}) {
      if (isOver) return
      isOver = true
      const durationMs = performance.now() - startedAt
      record(name, { ...parent, ...details, ...more, traceId, spanId, occurredAt, durationMs })
    }
  }
}
