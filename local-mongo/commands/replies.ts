// The fields that every reply ends with, and the shape of failed ones.
import type { Timestamp } from 'bson'
import { Binary, Double, Int32, Long } from 'bson'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { CommandError, ErrorLabel } from '../errors.ts'
import type { ClusterClock } from '../sessions/cluster-clock.ts'
import type { WriteConcernError } from './generic-arguments.ts'

const OK: Doc = new Map([['ok', new Double(1)]])

/** Encodes replies. What they all end with is encoded once for each time of the clock. */
export class ReplyEncoder {
  readonly #clock: ClusterClock
  #time: Timestamp | undefined
  /** The elements of the cluster's time, without the frame of a document. */
  #times: Uint8Array = new Uint8Array()
  #success: Uint8Array = new Uint8Array()

  constructor(clock: ClusterClock) {
    this.#clock = clock
  }

  /** A reply with `ok: 1`. */
  success(fields: Doc): Uint8Array {
    this.#refresh()
    if (fields.size === 0) return this.#success
    fields.set('ok', new Double(1))
    return withElements(encodeDoc(fields), this.#times)
  }

  /** The reply of a failed command, with the failure of its write concern beside it. */
  failure(
    error: CommandError,
    labels: readonly string[],
    writeConcernError?: WriteConcernError
  ): Uint8Array {
    this.#refresh()
    const reply: Doc = new Map()
    if (labels.length > 0) reply.set('errorLabels', [...labels])
    reply.set('ok', new Double(0))
    reply.set('errmsg', error.message)
    reply.set('code', new Int32(error.code))
    reply.set('codeName', error.codeName)
    for (const [name, value] of error.extra ?? []) reply.set(name, value)
    if (writeConcernError) reply.set('writeConcernError', describeError(writeConcernError))
    return withElements(encodeDoc(reply), this.#times)
  }

  #refresh(): void {
    const time = this.#clock.current
    if (time === this.#time) return
    this.#time = time
    this.#times = encodeDoc(describeTime(time)).subarray(4, -1)
    this.#success = withElements(encodeDoc(OK), this.#times)
  }
}

/** The times that drivers pass on from one reply to the next command. */
function describeTime(time: Timestamp): Doc {
  const signature: Doc = new Map()
  signature.set('hash', new Binary(Buffer.alloc(20)))
  signature.set('keyId', Long.ZERO)
  const gossip: Doc = new Map()
  gossip.set('clusterTime', time)
  gossip.set('signature', signature)
  return new Map<string, Value>([
    ['$clusterTime', gossip],
    ['operationTime', time]
  ])
}

/** An encoded document with further encoded elements at its end. */
function withElements(document: Uint8Array, elements: Uint8Array): Uint8Array {
  const size = document.length + elements.length
  const out = Buffer.allocUnsafe(size)
  out.set(document)
  out.set(elements, document.length - 1)
  out.writeInt32LE(size, 0)
  out[size - 1] = 0
  return out
}

/** Adds the labels of a failed write concern, and the failure. */
export function addWriteConcernError(
  fields: Doc,
  failure: WriteConcernError,
  labels: readonly ErrorLabel[]
): void {
  fields.set('writeConcernError', describeError(failure))
  if (labels.length > 0) fields.set('errorLabels', [...labels])
}

function describeError(failure: WriteConcernError): Doc {
  const error: Doc = new Map()
  error.set('code', new Int32(failure.code))
  error.set('codeName', failure.codeName)
  error.set('errmsg', failure.errmsg)
  if (failure.errInfo) error.set('errInfo', failure.errInfo)
  return error
}
