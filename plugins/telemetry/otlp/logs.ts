// Log records as events, and the exceptions that they tell of as errors.
import { BOUNDS } from '../bounds.ts'
import type { DraftContext, OtlpDraft } from './draft.ts'
import { exceptionDraft } from './exceptions.ts'
import { severityOf } from './severity.ts'
import { joinAttributes } from './source.ts'
import { addAttributes, anyText, hexId, millisOf, nanosOf, objectOf, textOf } from './values.ts'

/**
 * A log record's drafts: itself, and an error when it holds an exception of severity error or above, as OpenTelemetry's
 * conventions for exceptions in logs say.
 */
export function logDrafts(value: unknown, context: DraftContext): readonly OtlpDraft[] {
  const { source, ids } = context
  const record = objectOf(value)
  const at = nanosOf(record['timeUnixNano']) ?? nanosOf(record['observedTimeUnixNano'])
  const own = new Map<string, string>()
  addAttributes(own, record['attributes'])
  const level = textOf(record['severityText'])
  if (level !== '' && !own.has('log.severity_text')) own.set('log.severity_text', level)
  const eventName = textOf(record['eventName'])
  if (eventName !== '' && !own.has('event.name')) own.set('event.name', eventName)
  const attributes = joinAttributes(own, source)
  const body = anyText(record['body'], BOUNDS.body)
  const traceId = hexId(record['traceId'], 32)
  const spanId = hexId(record['spanId'], 16)
  const severity = severityOf(record['severityNumber'], level)
  const log: OtlpDraft = {
    name: 'otlp.log',
    id: ids('log', [String(at), traceId, spanId, severity, body, ...attributes.entries()]),
    occurredAt: at === undefined ? undefined : millisOf(at),
    attributes,
    content: {
      severity,
      ...(body !== undefined && { body }),
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId })
    }
  }
  const isError = severity === 'error' || severity === 'fatal'
  if (!isError || !(attributes.has('exception.type') || attributes.has('exception.message')))
    return [log]
  const { id, occurredAt } = log
  const isFatal = severity === 'fatal'
  const recorded = {
    attributes,
    occurredAt,
    nanos: undefined,
    traceId,
    spanId,
    severity,
    isFatal,
    id
  }
  return [log, exceptionDraft(recorded, context.exceptions)]
}
