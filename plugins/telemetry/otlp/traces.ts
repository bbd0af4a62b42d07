// Spans and their exceptions as records.

import { BOUNDS } from '../bounds.ts'
import type { DraftContext, OtlpDraft } from './draft.ts'
import { exceptionDraft, inherit } from './exceptions.ts'
import { jsonWithin } from './json-within.ts'
import { joinAttributes, type Source } from './source.ts'
import {
  addAttributes,
  enumOf,
  hexId,
  listOf,
  millisOf,
  nanosOf,
  nanosPast,
  objectOf,
  textOf
} from './values.ts'

const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const KIND_NAMES = SPAN_KINDS.map((kind) => kind.toUpperCase())
/** Kinds of spans that answer a request or take a message. */
const ENTRIES: ReadonlySet<string> = new Set(['server', 'consumer'])
const STATUS_ERROR = 2
const STATUS_NAMES = ['', 'OK', 'ERROR'] as const
const STATUS_CODES = ['UNSET', 'OK', 'ERROR']
const statusOf = (status: Readonly<Record<string, unknown>>) =>
  enumOf(status['code'], 'STATUS_CODE_', STATUS_CODES)
/** Exceptions of one span that become records. */
const MAX_EVENTS = 100

/** A span's drafts: itself, and an error for each exception when it failed. Text: why it is rejected. */
export function spanDrafts(value: unknown, context: DraftContext): readonly OtlpDraft[] | string {
  const { source } = context
  const span = objectOf(value)
  const traceId = hexId(span['traceId'], 32)
  const spanId = hexId(span['spanId'], 16)
  if (traceId === undefined) return 'a span has no valid traceId'
  if (spanId === undefined) return 'a span has no valid spanId'
  const start = nanosOf(span['startTimeUnixNano'])
  const end = nanosOf(span['endTimeUnixNano'])
  const events = listOf(span['events']).map(objectOf)
  const status = objectOf(span['status'])
  const isFailed = statusOf(status) === STATUS_ERROR
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
  return [own, ...exceptions.map((event, index) => exceptionOf(own, event, index, context))]
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
  own.set('span.kind', SPAN_KINDS[enumOf(span['kind'], 'SPAN_KIND_', KIND_NAMES)] ?? 'unspecified')
  const state = STATUS_NAMES[statusOf(status)] ?? ''
  if (state !== '') own.set('otel.status_code', state)
  const message = textOf(status['message'])
  if (message !== '') own.set('otel.status_description', message)
  addAttributes(own, span['attributes'])
  // The exceptions of a failed span are separate records.
  const isFailed = statusOf(status) === STATUS_ERROR
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

function exceptionOf(
  span: OtlpDraft,
  event: Readonly<Record<string, unknown>>,
  index: number,
  { source, exceptions }: DraftContext
): OtlpDraft {
  const given = new Map<string, string>()
  addAttributes(given, event['attributes'])
  const spanName = span.attributes.get('span.name')
  if (spanName !== undefined) given.set('span.name', spanName)
  inherit(given, span.attributes)
  const at = nanosOf(event['timeUnixNano'])
  const { traceId, spanId } = span.content
  return exceptionDraft(
    {
      attributes: joinAttributes(given, source),
      occurredAt: at === undefined ? span.occurredAt : millisOf(at),
      nanos: nanosPast(at),
      traceId,
      spanId,
      severity: 'error',
      // Of a request or a message that failed; an inner span may fail and be made good by an outer one.
      isFatal: ENTRIES.has(span.attributes.get('span.kind') ?? ''),
      id: `${span.id}-${index}`
    },
    exceptions
  )
}
