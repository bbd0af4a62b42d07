// Reads one record against its event's declaration: a row ready to store, or the reason it is refused.

import { BOUNDS, clipBody, isAmount } from '../bounds.ts'
import type { CompiledEvent } from '../registry/types.ts'
import { SEVERITIES } from '../schemas/envelope.ts'
import { metaJson } from './data.ts'
import type { Draft } from './draft.ts'
import { readAttrs, readMetrics } from './read-maps.ts'
import { type PartReading, readClient, readError, readState, readUsage } from './read-parts.ts'
import { isCleanText, isRef, isTenant, plainTraceId, refType, type SubjectList } from './refs.ts'
import { storedId } from './stored-id.ts'
import type { StoredRow } from './stored-row.ts'
import { addDays, isExpired } from './time.ts'
import { ENVS } from './types.ts'

/** What the caller has decided about a record, and its content, not read yet. */
export interface RecordInput {
  readonly event: CompiledEvent
  /** The wire's id, or a new one. */
  readonly id: string
  readonly tenantId: string
  /** Settled, in milliseconds. */
  readonly occurredAt: number
  /** The claimed time was impossible. */
  readonly isTimeDefaulted: boolean
  /** Nanoseconds past the millisecond. */
  readonly nanos?: number | undefined
  /** Texts that the caller has cut. */
  readonly truncated?: number
  readonly receivedAt: Date
  readonly service: unknown
  readonly release: unknown
  readonly env: unknown
  readonly isClient: boolean
  readonly subjects: SubjectList
  readonly actor: unknown
  readonly onBehalfOf: unknown
  readonly client: unknown
  readonly dedupeKey: unknown
  readonly forceKeep: boolean
  /** attrs metrics data body severity traceId spanId parentId durationMs error state usage */
  readonly content: Readonly<Record<string, unknown>>
}

export interface RecordSettings {
  readonly bodyMax: number
  readonly platforms: ReadonlySet<string>
  /** Subject types of visitors who are not known. */
  readonly anonymousTypes: ReadonlySet<string>
  /** Used for a missing env. */
  readonly defaultEnv: string
  /** Days rows of this event and service are kept; undefined for ever. */
  retentionDays(event: CompiledEvent, service: string): number | undefined
}

/** A record that passed: its row, and what writing it needs to know. */
export interface PreparedRecord {
  readonly event: CompiledEvent
  readonly id: string
  readonly row: StoredRow
  /** Never sampled. */
  readonly isKept: boolean
  /** Never capped. */
  readonly isUncapped: boolean
  readonly isDurable: boolean
  /** Texts that were cut. */
  readonly truncated: number
  /** Missing values that were filled. */
  readonly defaulted: number
  /** `data` did not fit and was left out. */
  readonly isDataDropped: boolean
  /** Rough bytes in the database. */
  readonly size: number
}

export type RecordReading =
  | { readonly ok: true; readonly record: PreparedRecord }
  | { readonly ok: false; readonly reason: string }

const refuse = (reason: string): RecordReading => ({ ok: false, reason })
const SEVERITY_SET: ReadonlySet<unknown> = new Set(SEVERITIES)
const ENV_SET: ReadonlySet<unknown> = new Set(ENVS)
const RARE = { error: 'error', state: 'state', usage: 'usage' } as const
const ROW_OVERHEAD = 320

/** Reads a record. Expected faults come back as a reason; nothing is thrown for them. */
export function readRecord(input: RecordInput, settings: RecordSettings): RecordReading {
  const { event, tenantId } = input
  if (tenantId === '*') return refuse('tenant * is reserved')
  if (!isTenant(tenantId)) return refuse('tenantId must be 1 to 128 clean characters')
  const draft = startDraft(input, settings)
  if (typeof draft === 'string') return refuse(draft)
  const { content } = input
  const reason =
    readSubjectsInto(event, input.subjects, draft.row) ??
    readPrincipals(input, draft.row) ??
    readAttrs(event, content['attrs'], draft) ??
    readMetrics(event, content['metrics'], draft) ??
    readTracing(event, content, draft.row) ??
    readParts(event, content, draft) ??
    readClientInto(input, settings, draft.row) ??
    readBody(content['body'], settings.bodyMax, draft) ??
    readDedupeKey(input.dedupeKey, draft.row)
  if (reason !== undefined) return refuse(reason)
  readData(event, content['data'], draft)
  return { ok: true, record: finishRecord(input, draft) }
}

function finishRecord(input: RecordInput, draft: Draft): PreparedRecord {
  const { event } = input
  const { row } = draft
  if (draft.truncated > 0) row.truncated = true
  const isGated = event.kind === 'usage' || row.dedupeKey !== undefined
  return {
    event,
    id: input.id,
    row,
    isKept: isGated || input.forceKeep || row.error !== undefined || hasCost(row),
    isUncapped: isGated || input.forceKeep || hasCost(row),
    isDurable: event.isDurable || row.dedupeKey !== undefined,
    truncated: draft.truncated,
    defaulted: draft.defaulted,
    isDataDropped: draft.isDataDropped,
    size: draft.size
  }
}

const hasCost = (row: StoredRow) => row.metrics?.['cost_usd'] !== undefined

function startDraft(input: RecordInput, settings: RecordSettings): Draft | string {
  const { event, occurredAt, receivedAt, content } = input
  const severity = content['severity'] ?? (event.kind === 'error' ? 'error' : 'info')
  if (!SEVERITY_SET.has(severity)) return `severity must be one of ${SEVERITIES.join(', ')}`
  const env = input.env ?? settings.defaultEnv
  if (!ENV_SET.has(env)) return `env must be one of ${ENVS.join(', ')}`
  const service = input.service ?? 'unknown'
  if (!isCleanText(service, BOUNDS.name)) return 'service must be a short text'
  const release = input.release ?? 'unknown'
  if (!isCleanText(release, BOUNDS.name)) return 'release must be a short text'
  const days = settings.retentionDays(event, service)
  if (isExpired(occurredAt, receivedAt.getTime(), days)) {
    return 'occurredAt is older than such rows are kept'
  }
  const row: StoredRow = {
    _id: storedId(input.tenantId, input.id),
    tenantId: input.tenantId,
    kind: event.kind,
    name: event.name,
    occurredAt: new Date(occurredAt),
    receivedAt,
    severity: severity as StoredRow['severity'],
    env: env as string,
    service,
    release,
    // Nearly every row has these: with a place from the start no row is built over again for them. What stays
    // undefined is not stored.
    expiresAt: days === undefined ? undefined : addDays(occurredAt, days),
    subjectKeys: undefined,
    attrs: undefined,
    metrics: undefined,
    traceId: undefined
  }
  if (input.isClient) row.origin = 'client'
  if (input.nanos !== undefined && !input.isTimeDefaulted) row.nanos = input.nanos
  if (event.kind in RARE) row.rareKind = event.kind
  if (input.forceKeep) row.forced = true
  const defaulted =
    Number(service === 'unknown') + Number(release === 'unknown') + Number(input.isTimeDefaulted)
  return {
    row,
    truncated: input.truncated ?? 0,
    defaulted,
    isDataDropped: false,
    size: ROW_OVERHEAD
  }
}

function readPrincipals(input: RecordInput, row: StoredRow): string | undefined {
  const { actor, onBehalfOf } = input
  if (actor !== undefined && actor !== null) {
    if (!isRef(actor)) return 'actor must be <type>:<id>'
    row.actor = actor
    row.actorType = refType(actor)
    addPrincipal(row, actor)
  }
  if (onBehalfOf !== undefined && onBehalfOf !== null) {
    if (!isRef(onBehalfOf)) return 'onBehalfOf must be <type>:<id>'
    row.onBehalfOf = onBehalfOf
    addPrincipal(row, onBehalfOf)
  }
  return undefined
}

function readSubjectsInto(
  event: CompiledEvent,
  subjects: SubjectList,
  row: StoredRow
): string | undefined {
  for (const type of event.subjects) {
    if (!subjects.refs.some((ref) => refType(ref) === type)) return `subject ${type} is missing`
  }
  if (subjects.refs.length > 0) row.subjectKeys = subjects.refs
  if (subjects.roles !== undefined) row.roles = subjects.roles
  return undefined
}

const TRACE_TEXT = /^[\x21-\x7e]{1,64}$/

function readTracing(
  event: CompiledEvent,
  content: Readonly<Record<string, unknown>>,
  row: StoredRow
): string | undefined {
  for (const key of ['traceId', 'spanId', 'parentId'] as const) {
    const value = content[key]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || !TRACE_TEXT.test(value)) {
      return `${key} must be 1 to ${BOUNDS.traceText} printable characters`
    }
    row[key] = key === 'traceId' ? plainTraceId(value) : value
  }
  const { durationMs } = content
  if (durationMs !== undefined && durationMs !== null) {
    if (!isAmount(durationMs) || durationMs < 0) {
      return `durationMs must be a number from 0 to ${BOUNDS.number}`
    }
    row.durationMs = durationMs
  }
  if (event.kind !== 'span') return undefined
  if (row.traceId === undefined) return 'a span needs traceId'
  if (row.spanId === undefined) return 'a span needs spanId'
  return row.durationMs === undefined ? 'a span needs durationMs' : undefined
}

function readParts(
  event: CompiledEvent,
  content: Readonly<Record<string, unknown>>,
  draft: Draft
): string | undefined {
  const { row } = draft
  return (
    part(content['error'], event.kind === 'error', 'error', readError, draft, (value) => {
      row.error = value
    }) ??
    part(content['state'], event.kind === 'state', 'state', readState, draft, (value) => {
      row.state = value
    }) ??
    part(content['usage'], event.kind === 'usage', 'usage', readUsage, draft, (value) => {
      row.usage = value
      addPrincipal(row, value.billedTo)
    })
  )
}

// Whoever is named in any role must be found when a subject is erased.
function addPrincipal(row: StoredRow, ref: string | undefined): void {
  const isKnown = ref === undefined || row.subjectKeys?.includes(ref) === true
  if (isKnown || row.otherPrincipals?.includes(ref) === true) return
  row.otherPrincipals = [...(row.otherPrincipals ?? []), ref]
}

function part<T>(
  value: unknown,
  isRequired: boolean,
  name: 'error' | 'state' | 'usage',
  read: (value: unknown) => PartReading<T>,
  draft: Draft,
  take: (value: T) => void
): string | undefined {
  if (value === undefined || value === null) {
    return isRequired ? `kind ${draft.row.kind} needs ${name}` : undefined
  }
  if (!isRequired && name !== 'error') return `${name} belongs to kind ${name}`
  const reading = read(value)
  if (!reading.ok) return reading.reason
  draft.truncated += reading.clipped
  draft.size += sizeOf(reading.value)
  take(reading.value)
  return undefined
}

const sizeOf = (value: unknown) => JSON.stringify(value).length

function readClientInto(
  input: RecordInput,
  settings: RecordSettings,
  row: StoredRow
): string | undefined {
  const { client } = input
  if (client === undefined || client === null) {
    return input.event.origin === 'client' ? 'client is missing' : undefined
  }
  const reading = readClient(client, settings.platforms)
  if (!reading.ok) return reading.reason
  row.client = reading.value
  return undefined
}

function readBody(body: unknown, bodyMax: number, draft: Draft): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'string') return 'body must be text'
  const clipped = clipBody(body, bodyMax)
  if (clipped !== body) draft.truncated++
  draft.row.body = clipped
  draft.size += clipped.length
  return undefined
}

function readDedupeKey(dedupeKey: unknown, row: StoredRow): string | undefined {
  if (dedupeKey === undefined || dedupeKey === null) return undefined
  if (!isCleanText(dedupeKey, BOUNDS.dedupeKey)) {
    return `dedupeKey must be 1 to ${BOUNDS.dedupeKey} clean characters`
  }
  row.dedupeKey = dedupeKey
  return undefined
}

/** Data that is undeclared or does not fit never costs the record. */
function readData(event: CompiledEvent, data: unknown, draft: Draft): void {
  if (data === undefined || data === null) return
  const json = event.dataFits?.(data) === true ? metaJson(data) : undefined
  if (json === undefined) {
    draft.isDataDropped = true
    return
  }
  draft.row.data = json
  draft.size += json.length
}
