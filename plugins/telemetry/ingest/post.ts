// POST on the ingest address: gate, body, tenant, rate, write. Every way out is an Ending.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPlainObject } from '../bounds.ts'
import type { StoredReject } from '../storage/storage.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { answerOf, answerOfError, type Ending, refusalOf, sendAnswer } from './answers.ts'
import { type Batch, readBatch, refuseRecord } from './batch.ts'
import { resolveTenant } from './context.ts'
import { headerOf, type Refused } from './credentials.ts'
import type { Admitted } from './gate.ts'
import type { IngestContext } from './ingest-context.ts'
import { allowOrigin } from './origins.ts'
import { parseJson, readBody } from './read-body.ts'
import { writtenWithin } from './written-within.ts'

/** What the gate answers to requests whose batch is not read. */
export const batchRules = {
  needsSecret: false,
  refusal: (refused: Refused) => refusalOf(answerOf({ is: 'refused', refused }, true)),
  failure: (error: unknown) => refusalOf(answerOfError(error))
}

/** Answers one batch of a sender whom the gate let in. */
export async function postBatch(
  context: IngestContext,
  admitted: Admitted,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { key } = admitted
  try {
    allowOrigin(request, reply, admitted)
    const ending = await takeBatch(context, request, key)
    context.ring.touch(key)
    return sendAnswer(reply, answerOf(ending, key.kind === 'secret'))
  } catch (error) {
    request.log.error({ err: error }, 'a telemetry batch could not be written')
    return sendAnswer(reply, answerOfError(error))
  }
}

async function takeBatch(
  context: IngestContext,
  request: FastifyRequest,
  key: StoredKey
): Promise<Ending> {
  const body = await readBatchBody(context, request)
  if ('is' in body) return refuseBody(context, key, body)
  const { head, records } = body
  const isSecret = key.kind === 'secret'
  const tenant = await resolveTenant(
    request,
    key,
    claimOf(head['context'], headerOf(request, 'x-tenant-id')),
    context.contextAdapter
  )
  if (!tenant.ok) {
    if (!isSecret) await refuseAll(context, key, undefined, records, tenant.fault)
    return { is: 'tenant', fault: tenant.fault, count: records.length }
  }
  const { maxRecords, rate } = context
  if (isSecret && records.length > maxRecords) return { is: 'too_many', max: maxRecords }
  const first = records.slice(0, maxRecords)
  const { granted: allowed, retryAfterSeconds } = await rate.take(key._id, {
    count: first.length,
    max: key.maxPerMinute,
    whole: isSecret && !mayTakePart(context, key, first.length)
  })
  context.recorder.counters.add('capped', first.length - allowed)
  context.overRate.note(key, first.length - allowed, tenant.tenantId)
  if (isSecret && first.length > 0 && allowed === 0) {
    return { is: 'over_rate', max: key.maxPerMinute, retryAfterSeconds }
  }
  const batch: Batch = {
    key,
    tenantId: tenant.tenantId,
    host: tenant.host,
    records: first.slice(0, allowed),
    head,
    receivedAt: context.recorder.clock.now()
  }
  const written = await writeBatch(context, batch)
  const tail = records.slice(maxRecords)
  if (tail.length > 0) await refuseAll(context, key, tenant.tenantId, tail, 'batch_too_large')
  const over = isSecret ? first.length - allowed : 0
  return {
    ...written,
    rejected: written.rejected + records.length - allowed,
    ...(over > 0 && { overRate: over, retryAfterSeconds })
  }
}

/**
 * A batch larger than the key may ever write at once is refused with the maximum, so that the sender can split
 * it. One that comes after that is taken in part: its sender would come again for ever.
 */
function mayTakePart({ refusedWhole }: IngestContext, key: StoredKey, count: number): boolean {
  if (count <= key.maxPerMinute) return false
  const isKnown = refusedWhole.get(key._id) === true
  refusedWhole.set(key._id, true)
  return isKnown
}

/** A claim in the batch counts before the header, which exporters of OpenTelemetry send. */
const claimOf = (context: unknown, header: string | undefined): unknown =>
  isPlainObject(context) && context['tenantId'] !== undefined ? context : { tenantId: header }

interface BatchBody {
  readonly head: Readonly<Record<string, unknown>>
  readonly records: readonly unknown[]
}

type BodyFault = Extract<Ending, { is: 'unreadable' | 'too_large' | 'unsupported' }>

async function readBatchBody(
  { bodyLimit }: IngestContext,
  request: FastifyRequest
): Promise<BatchBody | BodyFault> {
  const type = headerOf(request, 'content-type')
  if (type !== undefined && !/^(application\/json|text\/plain)\b/i.test(type)) {
    return { is: 'unsupported' }
  }
  if (request.body === undefined || request.body === null) return { is: 'unreadable' }
  const encoding = headerOf(request, 'content-encoding')
  const reading = await readBody(request.body as Readable, encoding, bodyLimit)
  if (!reading.ok) return { is: BODY_FAULTS[reading.fault] }
  const head = parseJson(reading.bytes)?.value
  if (!isPlainObject(head) || !Array.isArray(head['records'])) return { is: 'unreadable' }
  return { head, records: head['records'] }
}

const BODY_FAULTS = {
  too_large: 'too_large',
  malformed: 'unreadable',
  encoding: 'unsupported'
} as const

async function refuseBody(
  context: IngestContext,
  key: StoredKey,
  fault: BodyFault
): Promise<Ending> {
  await refuseAll(context, key, key.tenantId, [{}], `body ${fault.is}`)
  return fault
}

/** Counts records as refused for one reason, and stores what the quarantine takes. */
async function refuseAll(
  context: IngestContext,
  key: StoredKey,
  tenantId: string | undefined,
  records: readonly unknown[],
  reason: string
): Promise<void> {
  const { recorder } = context
  const rejects = records.flatMap((record) => refuseRecord(recorder, key, tenantId, record, reason))
  await writeRejects(context, rejects)
}

async function writeRejects(
  { recorder, deadlineMs }: IngestContext,
  rejects: readonly StoredReject[]
): Promise<void> {
  if (rejects.length === 0) return
  await writtenWithin(recorder.submit({ items: [], rejects, aliases: [] }), deadlineMs)
}

async function writeBatch(
  { recorder, deadlineMs }: IngestContext,
  batch: Batch
): Promise<Extract<Ending, { is: 'written' }>> {
  const { parcel, rejected } = readBatch(recorder, batch)
  const { items, rejects, aliases } = parcel
  if (items.length + rejects.length + aliases.length === 0) {
    return { is: 'written', accepted: 0, rejected }
  }
  const result = await writtenWithin(recorder.submit(parcel), deadlineMs)
  const faulty = items.filter((item) => result.faulty.has(item)).length
  return {
    is: 'written',
    accepted: items.length - faulty + aliases.length,
    rejected: rejected + faulty
  }
}
