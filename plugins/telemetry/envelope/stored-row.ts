// A row as it lies in the database, and how reads show it.

import { type Binary, Decimal128 } from 'mongodb'
import type { Kind } from '../contracts/telemetry-registry.ts'
import { decodeKey } from '../field-keys.ts'
import type {
  ClientInfo,
  Envelope,
  ErrorInfo,
  Severity,
  StateInfo,
  Subject,
  UsageInfo
} from '../schemas/envelope.ts'
import { wireId } from './stored-id.ts'

/** Usage in the database: money as Decimal128. */
export interface StoredUsage extends Omit<UsageInfo, 'amount'> {
  readonly amount?: Decimal128
}

/** A document of the rows collection. What is missing has its default. */
export interface StoredRow {
  /** Of the tenant and the wire's id; see stored-id.ts. */
  _id: Binary
  tenantId: string
  kind: Kind
  /** Repeats `kind` for errors, states and usage, so that small indexes can find them. */
  rareKind?: Kind
  name: string
  occurredAt: Date
  /** Nanoseconds past that millisecond, 1 to 999,999. */
  nanos?: number
  receivedAt: Date
  severity: Severity
  env: string
  service: string
  release: string
  /** Only on rows that came from clients. */
  origin?: 'client'
  traceId?: string | undefined
  spanId?: string
  parentId?: string
  durationMs?: number
  subjectKeys?: readonly string[] | undefined
  /** Index of a subject to its role. */
  roles?: Readonly<Record<string, string>>
  actor?: string
  actorType?: string
  onBehalfOf?: string
  /** actor and onBehalfOf when they are not subjects. */
  otherPrincipals?: readonly string[]
  /** Keys encoded. */
  attrs?: Record<string, string> | undefined
  /** Keys encoded. */
  metrics?: Record<string, number> | undefined
  /** JSON text. */
  data?: string
  body?: string
  error?: ErrorInfo
  state?: StateInfo
  usage?: StoredUsage
  client?: ClientInfo
  truncated?: true
  /** Only below 1. */
  sampleRate?: number
  forced?: true
  dedupeKey?: string
  expiresAt?: Date | undefined
  redactedAt?: Date
}

/** A stored row as reads show it. */
export function showRow(row: StoredRow): Envelope {
  const refs = row.subjectKeys ?? []
  return {
    _id: wireId(row._id),
    tenantId: row.tenantId,
    occurredAt: row.occurredAt,
    receivedAt: row.receivedAt,
    kind: row.kind,
    name: row.name,
    severity: row.severity,
    env: row.env,
    service: row.service,
    release: row.release,
    origin: row.origin ?? 'server',
    ...(refs[0] !== undefined && { subject: refs[0] }),
    subjects: refs.map((ref, index) => showSubject(ref, row.roles?.[String(index)])),
    attrs: decodeKeys(row.attrs),
    metrics: decodeKeys(row.metrics),
    sampleRate: row.sampleRate ?? 1,
    ...showOptional(row)
  }
}

function showOptional(row: StoredRow): Partial<Envelope> {
  return {
    ...(row.nanos !== undefined && { nanos: row.nanos }),
    ...(row.traceId !== undefined && { traceId: row.traceId }),
    ...(row.spanId !== undefined && { spanId: row.spanId }),
    ...(row.parentId !== undefined && { parentId: row.parentId }),
    ...(row.durationMs !== undefined && { durationMs: row.durationMs }),
    ...(row.actor !== undefined && { actor: row.actor }),
    ...(row.actorType !== undefined && { actorType: row.actorType }),
    ...(row.onBehalfOf !== undefined && { onBehalfOf: row.onBehalfOf }),
    ...(row.data !== undefined && { data: JSON.parse(row.data) as unknown }),
    ...(row.body !== undefined && { body: row.body }),
    ...(row.error !== undefined && { error: row.error }),
    ...(row.state !== undefined && { state: row.state }),
    ...(row.usage !== undefined && { usage: showUsage(row.usage) }),
    ...(row.client !== undefined && { client: row.client }),
    ...(row.truncated !== undefined && { truncated: row.truncated }),
    ...(row.redactedAt !== undefined && { redactedAt: row.redactedAt })
  }
}

function showSubject(ref: string, role: string | undefined): Subject {
  const at = ref.indexOf(':')
  const subject = { type: ref.slice(0, at), id: ref.slice(at + 1) }
  return role === undefined ? subject : { ...subject, role }
}

function showUsage(usage: StoredUsage): UsageInfo {
  const { amount, ...rest } = usage
  return amount === undefined ? rest : { ...rest, amount: showAmount(amount) }
}

const SMALL = /^(-?)(\d)(?:\.(\d+))?E-(\d+)$/

/** As it was sent: the database writes what a token costs as `5E-7`. */
function showAmount(amount: Decimal128): string {
  const text = amount.toString()
  const [, sign = '', first = '', rest = '', exponent = '0'] = SMALL.exec(text) ?? []
  return first === '' ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`
}

/** Money in the database's form; undefined when the text is not a decimal number. */
export function storeAmount(text: string): Decimal128 | undefined {
  return /^-?\d{1,20}(\.\d{1,12})?$/.test(text) ? Decimal128.fromString(text) : undefined
}

function decodeKeys<T>(stored: Readonly<Record<string, T>> | undefined): Record<string, T> {
  if (stored === undefined) return {}
  return Object.fromEntries(Object.entries(stored).map(([key, value]) => [decodeKey(key), value]))
}
