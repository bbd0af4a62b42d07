// A batch of the wire: read into records that are ready to write and those that are refused. Pure but for
// what the recorder counts.

import { isPlainObject } from '../bounds.ts'
import type { WriteItem } from '../emit/decide.ts'
import type { Parcel } from '../emit/parcel.ts'
import type { Recorder } from '../emit/recorder.ts'
import type { RecordInput } from '../envelope/read-record.ts'
import { isWireId } from '../envelope/record-id.ts'
import { mergeSubjects, readSubjects, type SubjectList } from '../envelope/refs.ts'
import { readTime, type SettledTime, settleTime } from '../envelope/time.ts'
import type { CompiledEvent } from '../registry/types.ts'
import type { StoredAlias, StoredReject } from '../storage/storage.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import type { HostContext } from './context.ts'
import { IDENTIFY, readIdentify } from './identify.ts'

/** A batch whose sender and tenant are known. */
export interface Batch {
  readonly key: StoredKey
  readonly tenantId: string
  readonly host: HostContext | undefined
  readonly records: readonly unknown[]
  /** The batch itself, for what holds for all of its records. */
  readonly head: Readonly<Record<string, unknown>>
  readonly receivedAt: Date
}

/** A batch that was read: what is to be written of it. */
export interface ReadBatch {
  readonly parcel: Parcel
  /** Records refused, whether or not their refusal is stored. */
  readonly rejected: number
}

/** What holds for all records of a batch. */
interface Shared {
  readonly batch: Batch
  readonly recorder: Recorder
  /** Milliseconds the sender's clock is ahead. */
  readonly skewMs: number
  readonly subjects: SubjectList | undefined
  readonly actor: unknown
  readonly client: unknown
  readonly release: unknown
}

type Read =
  | { readonly item: WriteItem }
  | { readonly alias: StoredAlias }
  | { readonly reason: string }

export function readBatch(recorder: Recorder, batch: Batch): ReadBatch {
  const shared = shareHead(recorder, batch)
  const items: WriteItem[] = []
  const rejects: StoredReject[] = []
  const aliases: StoredAlias[] = []
  let rejected = 0
  for (const record of batch.records) {
    const read = readOne(shared, record)
    if ('item' in read) items.push(read.item)
    else if ('alias' in read) aliases.push(read.alias)
    else {
      rejected++
      rejects.push(...refuseOne(shared, record, read.reason))
    }
  }
  return { parcel: { items, rejects, aliases }, rejected }
}

/** Counts a record that is refused, and what is kept of it. */
export function refuseRecord(
  recorder: Recorder,
  key: StoredKey,
  tenantId: string | undefined,
  record: unknown,
  reason: string
): StoredReject[] {
  const name = isPlainObject(record) ? record['name'] : undefined
  return recorder.refuse({
    name: typeof name === 'string' ? name : 'unnamed',
    reason,
    raw: record,
    tenantId,
    keyId: key._id
  })
}

const refuseOne = ({ recorder, batch }: Shared, record: unknown, reason: string) =>
  refuseRecord(recorder, batch.key, batch.tenantId, record, reason)

function shareHead(recorder: Recorder, batch: Batch): Shared {
  const { head, receivedAt, host, key } = batch
  const sentAt = readTime(head['sentAt'])
  const context = isPlainObject(head['context']) ? head['context'] : {}
  const release = head['release'] ?? undefined
  return {
    batch,
    recorder,
    skewMs: sentAt === undefined ? 0 : sentAt - receivedAt.getTime(),
    subjects: readSubjects(context['subjects']),
    actor: host?.actor ?? context['actor'],
    client: clientOf(head['client'], release, key),
    release
  }
}

/** Facts about the client, with what a small one may leave out. */
function clientOf(given: unknown, release: unknown, key: StoredKey): unknown {
  if (!isPlainObject(given)) {
    if (key.kind === 'secret') return undefined
    return { platform: 'web', appVersion: release ?? 'unknown' }
  }
  return {
    ...given,
    platform: given['platform'] ?? 'web',
    appVersion: given['appVersion'] ?? release ?? 'unknown'
  }
}

function readOne(shared: Shared, record: unknown): Read {
  if (!isPlainObject(record)) return { reason: 'a record must be an object' }
  const { name } = record
  if (name === IDENTIFY) return readLink(shared, record)
  const event = typeof name === 'string' ? shared.recorder.registry.event(name) : undefined
  if (event === undefined) return { reason: 'unregistered event' }
  const reason = forbidden(shared.batch.key, event)
  if (reason !== undefined) return { reason }
  if (!isWireId(record['_id'])) {
    return {
      reason:
        record['_id'] === undefined
          ? 'missing client _id'
          : 'missing client _id of 16 to 64 printable characters'
    }
  }
  const input = inputOf(shared, event, record, record['_id'])
  if (typeof input === 'string') return { reason: input }
  const reading = shared.recorder.read(input)
  if (!reading.ok) return { reason: reading.reason }
  return { item: shared.recorder.decide(reading.record, true) }
}

function forbidden(key: StoredKey, event: CompiledEvent): string | undefined {
  if (!key.allowedKinds.includes(event.kind)) return `kind ${event.kind} not allowed for this key`
  if (key.kind === 'publishable' && event.origin === 'server') {
    return 'server-origin name over a publishable key'
  }
  const isListed = key.allowedNames === undefined || key.allowedNames.includes(event.name)
  return isListed ? undefined : 'name not allowed for this key'
}

function inputOf(
  shared: Shared,
  event: CompiledEvent,
  record: Readonly<Record<string, unknown>>,
  id: string
): RecordInput | string {
  const { batch, subjects: ofBatch } = shared
  const { key, host, receivedAt } = batch
  const settled = timeOf(shared, record)
  if (settled === undefined) return 'occurredAt must be a date'
  const own = readSubjects(record['subjects'])
  if (own === undefined || ofBatch === undefined) return 'subjects must be a list of {type, id}'
  const isAlone = host === undefined && ofBatch.refs.length === 0
  return {
    event,
    id,
    tenantId: batch.tenantId,
    occurredAt: settled.at,
    isTimeDefaulted: settled.isDefaulted,
    receivedAt,
    service: key.service,
    release: shared.release,
    env: key.env,
    isClient: key.kind === 'publishable',
    subjects: isAlone ? own : mergeSubjects([ofBatch, own, ...(host ? [host.subjects] : [])]),
    actor: host?.actor ?? record['actor'] ?? shared.actor,
    onBehalfOf: record['onBehalfOf'],
    client: shared.client,
    dedupeKey: undefined,
    forceKeep: false,
    content: record
  }
}

/** When a record happened, by the sender's clock corrected; undefined when it is not a date. */
function timeOf(
  { batch, skewMs }: Shared,
  { occurredAt }: Readonly<Record<string, unknown>>
): SettledTime | undefined {
  const received = batch.receivedAt.getTime()
  if (occurredAt === undefined || occurredAt === null) return { at: received, isDefaulted: false }
  const claimed = readTime(occurredAt)
  if (claimed === undefined) return undefined
  return settleTime(claimed - skewMs, received, batch.key.kind === 'publishable')
}

function readLink(shared: Shared, record: Readonly<Record<string, unknown>>): Read {
  const settled = timeOf(shared, record)
  if (settled === undefined) return { reason: 'occurredAt must be a date' }
  const { key, tenantId } = shared.batch
  const parts = isPlainObject(record['attrs']) ? { ...record['attrs'], ...record } : record
  const { anonymousTypes } = shared.recorder
  const link = readIdentify(parts, { key, tenantId, at: new Date(settled.at), anonymousTypes })
  return typeof link === 'string' ? { reason: link } : { alias: link }
}
