// Spans and their exceptions as records.

import { BOUNDS, clipText } from '../bounds.ts'
import type { ErrorFrame } from '../schemas/envelope.ts'
import type { OtlpDraft } from './draft.ts'
import { jsonWithin } from './json-within.ts'
import { joinAttributes, type Source } from './source.ts'
import {
  addAttributes,
  hexId,
  listOf,
  millisOf,
  nanosOf,
  nanosPast,
  objectOf,
  textOf
} from './values.ts'

const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const STATUS_ERROR = 2
const STATUS_NAMES = ['', 'OK', 'ERROR'] as const
/** Exceptions of one span that become records. */
const MAX_EVENTS = 100

/** A span's drafts: itself, and an error for each exception when it failed. Text: why it is rejected. */
export function spanDrafts(value: unknown, source: Source): readonly OtlpDraft[] | string {
  const span = objectOf(value)
  const traceId = hexId(span['traceId'], 32)
  const spanId = hexId(span['spanId'], 16)
  if (traceId === undefined) return 'a span has no valid traceId'
  if (spanId === undefined) return 'a span has no valid spanId'
  const start = nanosOf(span['startTimeUnixNano'])
  const end = nanosOf(span['endTimeUnixNano'])
  const events = listOf(span['events']).map(objectOf)
  const status = objectOf(span['status'])
  const isFailed = Number(status['code']) === STATUS_ERROR
  const attributes = spanAttributes(span, status, events, source)
  const own: OtlpDraft = {
    name: 'otlp.span',
    id: `${traceId}${spanId}`,
    occurredAt: start === undefined ? undefined : millisOf(start),
    nanos: nanosPast(start),
    attributes,
    content: {
      traceId,
      spanId,
      parentId: hexId(span['parentSpanId'], 16),
      durationMs: durationOf(start, end),
      severity: isFailed ? 'error' : 'info'
    }
  }
  const exceptions = isFailed ? events.filter(isException).slice(0, MAX_EVENTS) : []
  return [own, ...exceptions.map((event, index) => exceptionDraft(own, event, index, source))]
}

const isException = (event: Readonly<Record<string, unknown>>) => event['name'] === 'exception'

function durationOf(start: bigint | undefined, end: bigint | undefined): number {
  return start === undefined || end === undefined || end < start
    ? 0
    : Number(end - start) / 1_000_000
}

function spanAttributes(
  span: Readonly<Record<string, unknown>>,
  status: Readonly<Record<string, unknown>>,
  events: readonly Readonly<Record<string, unknown>>[],
  source: Source
): Map<string, string> {
  const own = new Map<string, string>()
  own.set('span.name', textOf(span['name']))
  own.set('span.kind', SPAN_KINDS[Number(span['kind'])] ?? 'unspecified')
  const state = STATUS_NAMES[Number(status['code'])] ?? ''
  if (state !== '') own.set('otel.status_code', state)
  const message = textOf(status['message'])
  if (message !== '') own.set('otel.status_description', message)
  addAttributes(own, span['attributes'])
  // The exceptions of a failed span are separate records.
  const isFailed = Number(status['code']) === STATUS_ERROR
  const shown = isFailed ? events.filter((event) => !isException(event)) : events
  setList(own, 'span.events', shown.map(plainEvent))
  setList(own, 'span.links', listOf(span['links']).map(objectOf).map(plainLink))
  const dropped = isFailed ? events.length - shown.length - MAX_EVENTS : 0
  if (dropped > 0) own.set('span.dropped_exceptions', String(dropped))
  return joinAttributes(own, source)
}

function setList(own: Map<string, string>, key: string, items: readonly object[]): void {
  if (items.length > 0) own.set(key, jsonWithin(items, BOUNDS.attr))
}

function plainEvent(event: Readonly<Record<string, unknown>>): object {
  const at = nanosOf(event['timeUnixNano'])
  const attributes = new Map<string, string>()
  addAttributes(attributes, event['attributes'])
  return {
    name: textOf(event['name']),
    ...(at !== undefined && { at: millisOf(at) }),
    ...(attributes.size > 0 && { attributes: Object.fromEntries(attributes) })
  }
}

const plainLink = (link: Readonly<Record<string, unknown>>): object => ({
  traceId: hexId(link['traceId'], 32),
  spanId: hexId(link['spanId'], 16)
})

function exceptionDraft(
  span: OtlpDraft,
  event: Readonly<Record<string, unknown>>,
  index: number,
  source: Source
): OtlpDraft {
  const given = new Map<string, string>()
  addAttributes(given, event['attributes'])
  const type = given.get('exception.type') ?? 'Error'
  const message = given.get('exception.message') ?? ''
  const stack = given.get('exception.stacktrace')
  for (const key of ['exception.type', 'exception.message', 'exception.stacktrace']) {
    given.delete(key)
  }
  const spanName = span.attributes.get('span.name')
  if (spanName !== undefined) given.set('span.name', spanName)
  const at = nanosOf(event['timeUnixNano'])
  const { traceId, spanId } = span.content
  return {
    name: 'otlp.exception',
    id: `${span.id}-e${index}`,
    occurredAt: at === undefined ? span.occurredAt : millisOf(at),
    nanos: nanosPast(at),
    attributes: joinAttributes(given, source),
    content: {
      traceId,
      spanId,
      severity: 'error',
      error: {
        type: type === '' ? 'Error' : type,
        message,
        handled: given.get('exception.escaped') !== 'true',
        frames: framesOf(stack ?? '')
      },
      ...(stack !== undefined && { body: stack })
    }
  }
}

const FRAME = /^\s*at (?:(.{1,300}?) \()?(?:file:\/\/)?([^()\s]{1,400}):(\d+):(\d+)\)?$/

/** Frames of a V8 stack trace; other languages' stay text. */
function framesOf(stack: string): readonly ErrorFrame[] {
  const lines = clipText(stack, 16_384).split('\n').slice(0, 100)
  return lines.flatMap((line) => {
    const [, fn, filename, lineno, colno] = FRAME.exec(line) ?? []
    if (filename === undefined) return []
    return [
      {
        filename,
        ...(fn !== undefined && { fn }),
        lineno: Number(lineno),
        colno: Number(colno),
        inApp: !/node_modules|^node:/.test(filename)
      }
    ]
  })
}
