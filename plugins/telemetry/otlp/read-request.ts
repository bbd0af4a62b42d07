// An export request, in either encoding, as drafts of records.
import { isPlainObject } from '../bounds.ts'
import { parseJson } from '../ingest/read-body.ts'
import { contentId } from './content-id.ts'
import type { Drafts, OtlpDraft } from './draft.ts'
import { logDraft } from './logs.ts'
import { REQUESTS, type Signal } from './messages.ts'
import { metricDrafts } from './metrics.ts'
import { ProtobufFault, readProtobuf } from './read-protobuf.ts'
import type { Source } from './source.ts'
import { spanDrafts } from './traces.ts'
import { objectOf } from './values.ts'

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

/** The items of a request as drafts; undefined when its lists are not arrays. */
export function draftRequest(
  request: Readonly<Record<string, unknown>>,
  signal: Signal
): Drafts | undefined {
  const [groups, scopes, items] = LISTS[signal]
  const ids = contentId()
  const drafts: OtlpDraft[] = []
  let rejected = 0
  let problem: string | undefined
  for (const group of listIn(request, groups) ?? [undefined]) {
    const scoped = group === undefined ? undefined : listIn(objectOf(group), scopes)
    if (scoped === undefined) return undefined
    for (const one of scoped) {
      const found = listIn(objectOf(one), items)
      if (found === undefined) return undefined
      const source: Source = {
        resource: objectOf(group)['resource'],
        scope: objectOf(one)['scope']
      }
      for (const item of found) {
        const made = draftItem(item, source, signal, ids)
        drafts.push(...made.drafts)
        rejected += made.rejected
        problem ??= made.problem
      }
    }
  }
  return { drafts, rejected, problem }
}

/** A list of a message: empty when unset, undefined when it is something else. */
function listIn(
  message: Readonly<Record<string, unknown>>,
  name: string
): readonly unknown[] | undefined {
  const value = message[name] ?? []
  return Array.isArray(value) ? value : undefined
}

function draftItem(
  item: unknown,
  source: Source,
  signal: Signal,
  ids: ReturnType<typeof contentId>
): Drafts {
  switch (signal) {
    case 'traces': {
      const made = spanDrafts(item, source)
      return typeof made === 'string'
        ? { drafts: [], rejected: 1, problem: made }
        : { drafts: made, rejected: 0, problem: undefined }
    }
    case 'logs':
      return { drafts: [logDraft(item, source, ids)], rejected: 0, problem: undefined }
    case 'metrics': {
      const { drafts, rejected } = metricDrafts(item, source, ids)
      const problem = rejected > 0 ? 'a data point holds no number' : undefined
      return { drafts, rejected, problem }
    }
  }
}
