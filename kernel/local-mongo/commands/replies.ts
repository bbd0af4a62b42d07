// The fields that every reply ends with, and the shape of failed ones.
import { Binary, Double, Int32, Long } from 'bson'
import type { Doc } from '../bson/value.ts'
import type { CommandError, ErrorLabel } from '../errors.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { WriteConcernError } from './generic-arguments.ts'

/** Adds `ok: 1`, and the times that drivers pass on. */
export function completeReply(fields: Doc, clock: ClusterClock): Doc {
  fields.set('ok', new Double(1))
  return addTimes(fields, clock)
}

/** The reply of a failed command. */
export function errorReply(
  error: CommandError,
  labels: readonly string[],
  clock: ClusterClock
): Doc {
  const reply: Doc = new Map()
  if (labels.length > 0) reply.set('errorLabels', [...labels])
  reply.set('ok', new Double(0))
  reply.set('errmsg', error.message)
  reply.set('code', new Int32(error.code))
  reply.set('codeName', error.codeName)
  for (const [name, value] of error.extra ?? []) reply.set(name, value)
  return addTimes(reply, clock)
}

/** Adds the labels of a failed write concern, and the failure. */
export function addWriteConcernError(
  fields: Doc,
  failure: WriteConcernError,
  labels: readonly ErrorLabel[]
): void {
  const error: Doc = new Map()
  error.set('code', new Int32(failure.code))
  error.set('codeName', failure.codeName)
  error.set('errmsg', failure.errmsg)
  if (failure.errInfo) error.set('errInfo', failure.errInfo)
  fields.set('writeConcernError', error)
  if (labels.length > 0) fields.set('errorLabels', [...labels])
}

function addTimes(reply: Doc, clock: ClusterClock): Doc {
  const clusterTime = clock.current
  const signature: Doc = new Map()
  signature.set('hash', new Binary(Buffer.alloc(20)))
  signature.set('keyId', Long.ZERO)
  const gossip: Doc = new Map()
  gossip.set('clusterTime', clusterTime)
  gossip.set('signature', signature)
  reply.set('$clusterTime', gossip)
  reply.set('operationTime', clusterTime)
  return reply
}
