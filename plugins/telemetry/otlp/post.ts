// POST on the OTLP addresses: gate, body, tenant, rate, write, answered as the OTLP specification says.
import type { Readable } from 'node:stream'
import { KeelsonError } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WriteItem } from '../emit/decide.ts'
import type { Parcel } from '../emit/parcel.ts'
import type { RecordInput } from '../envelope/read-record.ts'
import { mergeSubjects } from '../envelope/refs.ts'
import { OTLP_ID } from '../envelope/stored-id.ts'
import { settleTime } from '../envelope/time.ts'
import { type HostContext, resolveTenant } from '../ingest/context.ts'
import { headerOf, type Refused } from '../ingest/credentials.ts'
import type { Admitted } from '../ingest/gate.ts'
import type { IngestContext } from '../ingest/ingest-context.ts'
import { readBody } from '../ingest/read-body.ts'
import { writtenWithin } from '../ingest/written-within.ts'
import type { CompiledEvent } from '../registry/types.ts'
import type { StoredReject } from '../storage/storage.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { faultAnswer, type OtlpFault, sendFault, sendTaken } from './answers.ts'
import type { Drafts, OtlpDraft } from './draft.ts'
import { isCutJson } from './json-within.ts'
import type { Signal } from './messages.ts'
import { draftRequest, type Encoding, readRequest } from './read-request.ts'
import { environmentOf, releaseOf, serviceOf, subjectsOf } from './source.ts'

/** How many items of an export were rejected, and why. */
interface ExportResult {
  readonly rejected: number
  readonly problem: string | undefined
}

const NO_SUBJECTS = { refs: [], roles: undefined } as const
/** Records of one transaction. */
const PARCEL = 1000

/** What the gate answers to requests that are not read. */
export const otlpRules = {
  needsSecret: true,
  refusal: (_refused: Refused, request: FastifyRequest) =>
    faultAnswer(encodingOf(request) ?? 'json', {
      status: 401,
      message: 'a secret ingest key is needed'
    }),
  failure: (error: unknown, request: FastifyRequest) =>
    faultAnswer(encodingOf(request) ?? 'json', faultOf(error))
}

/** Answers one export of a sender whom the gate let in. */
export async function postOtlp(
  context: IngestContext,
  signal: Signal,
  { key }: Admitted,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const encoding = encodingOf(request)
  try {
    const end = await takeRequest(context, signal, encoding, key, request)
    return 'status' in end
      ? sendFault(reply, encoding ?? 'json', end)
      : sendTaken(reply, signal, encoding ?? 'json', end.rejected, end.problem)
  } catch (error) {
    request.log.error({ err: error }, 'an OTLP request could not be written')
    return sendFault(reply, encoding ?? 'json', faultOf(error))
  }
}

function faultOf(error: unknown): OtlpFault {
  const isOverload = KeelsonError.is(error) && error.code === 'TEL_OVERLOADED'
  return isOverload
    ? { status: 429, message: 'too much is waiting to be written', retryAfterSeconds: 1 }
    : { status: 503, message: 'telemetry cannot be written now', retryAfterSeconds: 2 }
}

function encodingOf(request: FastifyRequest): Encoding | undefined {
  const type = headerOf(request, 'content-type') ?? ''
  if (/^application\/json\b/i.test(type)) return 'json'
  return /^application\/(x-)?protobuf\b/i.test(type) ? 'protobuf' : undefined
}

async function takeRequest(
  context: IngestContext,
  signal: Signal,
  encoding: Encoding | undefined,
  key: StoredKey,
  request: FastifyRequest
): Promise<ExportResult | OtlpFault> {
  if (encoding === undefined) {
    const message = 'the body must be application/json or application/x-protobuf'
    return refuseExport(context, key, signal, { status: 415, message })
  }
  const read = await readDrafts(context, signal, encoding, request)
  if ('status' in read) return refuseExport(context, key, signal, read)
  context.ring.touch(key)
  if (read.drafts.length + read.refused.length === 0) {
    return { rejected: 0, problem: read.unknown }
  }
  const tenant = await resolveTenant(
    request,
    key,
    { tenantId: headerOf(request, 'x-tenant-id') },
    context.contextAdapter
  )
  if (!tenant.ok) {
    const fault = { status: TENANT_STATUS[tenant.fault], message: tenant.fault }
    return refuseExport(context, key, signal, fault)
  }
  const all = read.drafts.length
  const { granted: allowed, retryAfterSeconds } = await context.rate.take(key._id, {
    count: all,
    max: key.maxPerMinute,
    // More than the key may ever write at once is taken in part: the exporter would come again for ever.
    whole: all <= key.maxPerMinute
  })
  context.recorder.counters.add('capped', all - allowed)
  context.overRate.note(key, all - allowed, tenant.tenantId)
  if (allowed === 0 && all > 0) return { status: 429, message: 'rate_limited', retryAfterSeconds }
  const over = all - allowed
  const drafts = read.drafts.slice(0, allowed)
  const written = await writeDrafts(context, key, signal, tenant, { ...read, drafts })
  return {
    rejected: written.rejected + over,
    problem: over > 0 ? `the key may write ${key.maxPerMinute} records a minute` : written.problem
  }
}

/** Writes down why nothing of an export was taken: its sender may keep that to itself. */
async function refuseExport(
  { recorder, deadlineMs }: IngestContext,
  key: StoredKey,
  signal: Signal,
  fault: OtlpFault
): Promise<OtlpFault> {
  const { _id: keyId, tenantId } = key
  const name = ITEMS[signal]
  const rejects = recorder.refuse({ name, reason: fault.message, raw: {}, tenantId, keyId })
  if (rejects.length > 0) {
    await writtenWithin(recorder.submit({ items: [], rejects, aliases: [] }), deadlineMs)
  }
  return fault
}

/** What the records of a signal are called. */
const ITEMS: Readonly<Record<Signal, string>> = {
  traces: 'otlp.span',
  logs: 'otlp.log',
  metrics: 'otlp.metric'
}

const TENANT_STATUS = {
  no_context_adapter: 500,
  no_session: 401,
  tenant_required: 400,
  reserved_tenant: 400
} as const

async function readDrafts(
  { otlpBodyLimit }: IngestContext,
  signal: Signal,
  encoding: Encoding,
  request: FastifyRequest
): Promise<Drafts | OtlpFault> {
  const malformed = (message: string): OtlpFault => ({ status: 400, message })
  // An export without items may have an empty body in protobuf.
  if (request.body === undefined || request.body === null) {
    return encoding === 'protobuf'
      ? { drafts: [], refused: [], unknown: undefined }
      : malformed('the body is empty')
  }
  const compression = headerOf(request, 'content-encoding')
  const body = await readBody(request.body as Readable, compression, otlpBodyLimit)
  if (!body.ok) {
    if (body.fault === 'too_large') return { status: 413, message: 'the body is too large' }
    return body.fault === 'encoding'
      ? { status: 415, message: 'the content-encoding is not known' }
      : malformed('the body cannot be decompressed')
  }
  const reading = readRequest(body.bytes, signal, encoding)
  if (!reading.ok) return malformed(reading.problem)
  const drafts = draftRequest(reading.request, signal)
  return typeof drafts === 'string' ? malformed(drafts) : drafts
}

async function writeDrafts(
  context: IngestContext,
  key: StoredKey,
  signal: Signal,
  { tenantId, host }: { readonly tenantId: string; readonly host: HostContext | undefined },
  read: Drafts
): Promise<ExportResult> {
  const { recorder, deadlineMs } = context
  const items: WriteItem[] = []
  const rejects = refuseItems(context, key, signal, tenantId, read)
  let rejected = read.refused.length
  let problem = read.refused[0]?.reason
  for (const draft of read.drafts) {
    const made = itemOf(context, key, tenantId, host, draft)
    if (typeof made !== 'string') {
      items.push(made)
      continue
    }
    rejected++
    problem ??= made
    const { name, id } = draft
    const raw = { name, _id: id, attrs: Object.fromEntries(draft.attributes) }
    rejects.push(...recorder.refuse({ name, reason: made, raw, tenantId, keyId: key._id }))
  }
  const parcels: Parcel[] = rejects.length > 0 ? [{ items: [], rejects, aliases: [] }] : []
  for (let at = 0; at < items.length; at += PARCEL) {
    parcels.push({ items: items.slice(at, at + PARCEL), rejects: [], aliases: [] })
  }
  // What is refused at once must not leave the parcels before it without anybody who hears how they end.
  const submitted = Promise.all(parcels.map(async (parcel) => recorder.submit(parcel)))
  const results = await writtenWithin(submitted, deadlineMs)
  for (const { faulty } of results) {
    rejected += items.filter((item) => faulty.has(item)).length
    problem ??= [...faulty.values()][0]
  }
  return { rejected, problem: problem ?? read.unknown }
}

/** What could not become a record: its sender may keep that to itself. */
function refuseItems(
  { recorder }: IngestContext,
  key: StoredKey,
  signal: Signal,
  tenantId: string,
  { refused, unknown }: Drafts
): StoredReject[] {
  const name = ITEMS[signal]
  const whose = { name, tenantId, keyId: key._id }
  const rejects = refused.flatMap(({ reason, attributes }) =>
    recorder.refuse({ ...whose, reason, raw: { name, attrs: Object.fromEntries(attributes) } })
  )
  return unknown === undefined
    ? rejects
    : [...rejects, ...recorder.refuse({ ...whose, reason: unknown, raw: {} })]
}

/** How many of its texts the draft holds in part. */
const cutTexts = ({ attributes }: OtlpDraft): number =>
  [...attributes].filter(([key, text]) => key === 'span.dropped_exceptions' || isCutJson(text))
    .length

function itemOf(
  { recorder, subjectAttributes }: IngestContext,
  key: StoredKey,
  tenantId: string,
  host: HostContext | undefined,
  draft: OtlpDraft
): WriteItem | string {
  // Built in: always there.
  const event = recorder.registry.event(draft.name) as CompiledEvent
  if (!key.allowedKinds.includes(event.kind)) return `kind ${event.kind} not allowed for this key`
  const isListed = key.allowedNames === undefined || key.allowedNames.includes(event.name)
  if (!isListed) return 'name not allowed for this key'
  const receivedAt = recorder.clock.now()
  const settled = settleTime(draft.occurredAt ?? receivedAt.getTime(), receivedAt.getTime(), false)
  const input: RecordInput = {
    event,
    id: OTLP_ID + draft.id,
    tenantId,
    occurredAt: settled.at,
    isTimeDefaulted: settled.isDefaulted,
    nanos: draft.nanos,
    truncated: cutTexts(draft),
    receivedAt,
    service: serviceOf(draft.attributes, key.service),
    release: releaseOf(draft.attributes),
    env: environmentOf(draft.attributes) ?? key.env,
    isClient: false,
    subjects: mergeSubjects([
      subjectsOf(draft.attributes, subjectAttributes),
      host?.subjects ?? NO_SUBJECTS
    ]),
    actor: host?.actor,
    onBehalfOf: undefined,
    client: undefined,
    dedupeKey: undefined,
    forceKeep: false,
    content: { ...draft.content, attrs: Object.fromEntries(draft.attributes) }
  }
  const reading = recorder.read(input)
  return reading.ok ? recorder.decide(reading.record, true) : reading.reason
}
