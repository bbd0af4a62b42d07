// emit: one record from code of this process.
import { isPlainObject } from '../bounds.ts'
import type { RecordInput } from '../envelope/read-record.ts'
import { newRecordId } from '../envelope/record-id.ts'
import { readSubjects } from '../envelope/refs.ts'
import { readTime, settleTime } from '../envelope/time.ts'
import type { EmitRecord, EmitResult, Outcome } from '../envelope/types.ts'
import { errors } from '../errors.ts'
import type { CompiledEvent } from '../registry/types.ts'
import type { WriteItem } from './decide.ts'
import type { Recorder } from './recorder.ts'

/** Records one event; see Telemetry.emit. */
export async function emitRecord(
  recorder: Recorder,
  name: string,
  given: EmitRecord
): Promise<EmitResult> {
  if (recorder.isClosed) throw errors.TEL_CLOSED()
  const now = recorder.clock.now()
  const id = newRecordId(now.getTime())
  const event = recorder.registry.event(name)
  if (event === undefined) return refused(recorder, id, name, 'unregistered event', given)
  const input = inputOf(event, id, given, now)
  if (typeof input === 'string') return refusedOf(recorder, event, id, input, given)
  const reading = recorder.read(input)
  if (!reading.ok) return refusedOf(recorder, event, id, reading.reason, given)
  const item = recorder.decide(reading.record, false)
  return reading.record.isDurable ? writeDurable(recorder, item) : writeSoon(recorder, item)
}

function inputOf(
  event: CompiledEvent,
  id: string,
  given: EmitRecord,
  receivedAt: Date
): RecordInput | string {
  if (!isPlainObject(given)) return 'the record must be an object'
  const claimed = given.occurredAt === undefined ? receivedAt.getTime() : readTime(given.occurredAt)
  if (claimed === undefined) return 'occurredAt must be a date'
  const settled = settleTime(claimed, receivedAt.getTime(), false)
  const subjects = readSubjects(given.subjects)
  if (subjects === undefined) return 'subjects must be a list of {type, id}'
  return {
    event,
    id,
    tenantId: given.tenantId,
    occurredAt: settled.at,
    isTimeDefaulted: settled.isDefaulted,
    receivedAt,
    service: given.service,
    release: given.release,
    env: given.env,
    isClient: false,
    subjects,
    actor: given.actor,
    onBehalfOf: given.onBehalfOf,
    client: given.client,
    dedupeKey: given.dedupeKey,
    forceKeep: given.forceKeep === true,
    content: given as unknown as Record<string, unknown>
  }
}

// Usage is money: who bills must hear that it was not recorded.
async function refusedOf(
  recorder: Recorder,
  event: CompiledEvent,
  id: string,
  reason: string,
  given: EmitRecord
): Promise<EmitResult> {
  const result = await refused(recorder, id, event.name, reason, given)
  if (event.kind === 'usage') throw errors.TEL_USAGE_REJECTED({ name: event.name, reason })
  return result
}

async function refused(
  recorder: Recorder,
  id: string,
  name: string,
  reason: string,
  given: EmitRecord
): Promise<EmitResult> {
  const tenantId: unknown = isPlainObject(given) ? given['tenantId'] : undefined
  const rejects = recorder.refuse({
    name: String(name),
    reason,
    raw: given,
    tenantId: typeof tenantId === 'string' && tenantId !== '*' ? tenantId : undefined,
    keyId: undefined
  })
  if (rejects.length > 0) await recorder.enqueue({ items: [], rejects, aliases: [] })
  return { id, outcome: 'rejected', reason }
}

/** Resolves after the write, with what became of it. */
async function writeDurable(recorder: Recorder, item: WriteItem): Promise<EmitResult> {
  const { id } = item.record
  const result = await recorder.submitDurable({ items: [item], rejects: [], aliases: [] })
  if (result.repeats.has(item)) return { id, outcome: 'deduped' }
  const reason = result.faulty.get(item)
  if (reason !== undefined) return { id, outcome: 'rejected', reason }
  return { id, outcome: outcomeOf(item, 'written') }
}

/** Resolves as soon as there is room in the queue. */
async function writeSoon(recorder: Recorder, item: WriteItem): Promise<EmitResult> {
  await recorder.enqueue({ items: [item], rejects: [], aliases: [] })
  return { id: item.record.id, outcome: outcomeOf(item, 'queued') }
}

const outcomeOf = (item: WriteItem, outcome: Outcome): Outcome =>
  item.fate === 'kept' ? outcome : item.fate
