// Log records as events.
import { BOUNDS } from '../bounds.ts'
import type { Severity } from '../schemas/envelope.ts'
import type { contentId } from './content-id.ts'
import type { OtlpDraft } from './draft.ts'
import { joinAttributes, type Source } from './source.ts'
import { addAttributes, anyText, hexId, millisOf, nanosOf, objectOf, textOf } from './values.ts'

const LEVELS: readonly (readonly [number, Severity])[] = [
  [8, 'debug'],
  [12, 'info'],
  [16, 'warn'],
  [20, 'error'],
  [24, 'fatal']
]

/** Severity numbers 1–24 in fours: trace and debug, info, warn, error, fatal. Unset is info. */
export function severityOf(number: unknown): Severity {
  const value = Number(number ?? 0)
  if (!(value >= 1)) return 'info'
  return LEVELS.find(([most]) => value <= most)?.[1] ?? 'fatal'
}

/** A log record's draft. */
export function logDraft(
  value: unknown,
  source: Source,
  ids: ReturnType<typeof contentId>
): OtlpDraft {
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
  const severity = severityOf(record['severityNumber'])
  return {
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
}
