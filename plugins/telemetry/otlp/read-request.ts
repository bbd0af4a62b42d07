// An export request, in either encoding, as drafts of records.
import { isPlainObject } from '../bounds.ts'
import { parseJson } from '../ingest/read-body.ts'
import { contentId } from './content-id.ts'
import type { DraftContext, Drafts, OtlpDraft, RefusedItem } from './draft.ts'
import { logDrafts } from './logs.ts'
import { REQUESTS, type Signal } from './messages.ts'
import { metricDrafts } from './metrics.ts'
import { ProtobufFault, readProtobuf } from './read-protobuf.ts'
import { joinAttributes } from './source.ts'
import { spanDrafts } from './traces.ts'
import { objectOf, textOf } from './values.ts'

export type Encoding = 'json' | 'protobuf'

export type RequestReading =
  | { readonly ok: true; readonly request: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string }

const LISTS = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics']
} as const satisfies Record<Signal, readonly [string, string, string]>

/** Reads the bytes of a request into its JSON form. */
export function readRequest(bytes: Buffer, signal: Signal, encoding: Encoding): RequestReading {
  if (encoding === 'json') {
    const parsed = parseJson(bytes)
    if (!isPlainObject(parsed?.value)) return { ok: false, problem: 'the body is no JSON object' }
    return { ok: true, request: parsed.value }
  }
  try {
    return { ok: true, request: readProtobuf(bytes, REQUESTS[signal]) }
  } catch (error) {
    if (!(error instanceof ProtobufFault)) throw error
    return { ok: false, problem: `the body is no such message: ${error.message}` }
  }
}

/** The items of a request as drafts. Text: why none of it is understood. */
export function draftRequest(
  request: Readonly<Record<string, unknown>>,
  signal: Signal
): Drafts | string {
  const [groups, scopes, items] = LISTS[signal]
  const ids = contentId()
  const exceptions: DraftContext['exceptions'] = new Map()
  const drafts: OtlpDraft[] = []
  const lists = createListReader()
  const refused: RefusedItem[] = []
  for (const group of lists.read(request, groups)) {
    for (const scoped of lists.read(objectOf(group), scopes)) {
      const source = { resource: objectOf(group)['resource'], scope: objectOf(scoped)['scope'] }
      for (const item of lists.read(objectOf(scoped), items)) {
        const made = draftItem(item, { source, ids, exceptions }, signal)
        drafts.push(...made.drafts)
        refused.push(...made.refused)
      }
    }
  }
  const { malformed, unknown } = lists
  if (malformed !== undefined) return malformed
  if (unknown !== undefined && drafts.length + refused.length === 0) return unknown
  return { drafts, refused, unknown }
}

/** Fields of messages that hold such a list. */
const BESIDE_LISTS: ReadonlySet<string> = new Set(['resource', 'scope', 'schemaUrl'])

/** Reads lists of messages, and notes what is wrong with the first that is not as expected. */
function createListReader() {
  const reader = {
    malformed: undefined as string | undefined,
    unknown: undefined as string | undefined,
    /** Empty when the list is not set. */
    read(message: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
      const value = message[name] ?? []
      if (Array.isArray(value) && message[name] !== undefined) return value
      if (!Array.isArray(value)) reader.malformed ??= `${name} must be an array`
      const other = Object.keys(message).find((key) => !BESIDE_LISTS.has(key) && key !== name)
      if (other !== undefined)
        reader.unknown ??= `${other.slice(0, 100)} is unknown, expected ${name}`
      return []
    }
  }
  return reader
}

function draftItem(
  item: unknown,
  context: DraftContext,
  signal: Signal
): Pick<Drafts, 'drafts' | 'refused'> {
  const { source, ids } = context
  const refuse = (reason: string, key: string): RefusedItem => {
    const own = new Map([[key, textOf(objectOf(item)['name'])]])
    return { reason, attributes: joinAttributes(own, source) }
  }
  switch (signal) {
    case 'traces': {
      const made = spanDrafts(item, context)
      return typeof made === 'string'
        ? { drafts: [], refused: [refuse(made, 'span.name')] }
        : { drafts: made, refused: [] }
    }
    case 'logs':
      return { drafts: logDrafts(item, context), refused: [] }
    case 'metrics': {
      const { drafts, rejected } = metricDrafts(item, source, ids)
      const refused = () => refuse('a data point holds no number', 'metric.name')
      return { drafts, refused: Array.from({ length: rejected }, refused) }
    }
  }
}
