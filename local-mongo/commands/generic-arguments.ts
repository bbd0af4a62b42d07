// The arguments that every command may carry: session, transaction number, concerns, time limit, API version.
import { Binary, Long, Timestamp } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import { isNumeric } from '../bson/value.ts'
import type { Durability } from '../engine.ts'
import { commandError } from '../errors.ts'
import { boolean, count, document, integer, readFields, required, string } from './fields.ts'

/** Read concern as far as it makes a difference here. */
export interface ReadConcern {
  readonly level: string | undefined
  readonly atClusterTime: Timestamp | undefined
}

/** What an answer may say about its write concern. */
export interface WriteConcernError {
  readonly code: number
  readonly codeName: string
  readonly errmsg: string
  readonly errInfo?: Doc
}

/** What a write concern asks of this one member. */
export interface WriteConcern {
  readonly durability: Durability
  /** Set when one member can never satisfy it; the write takes place all the same. */
  readonly unsatisfiable: WriteConcernError | undefined
}

/** Everything a command may carry beside its own fields. */
export interface GenericArguments {
  /** Hex of the session's id. */
  readonly sessionId: string | undefined
  readonly txnNumber: bigint | undefined
  readonly startTransaction: boolean
  readonly autocommit: boolean | undefined
  readonly statementIds: readonly number[] | undefined
  readonly readConcern: ReadConcern | undefined
  readonly writeConcern: WriteConcern | undefined
  /** Milliseconds; undefined and 0 mean no limit. */
  readonly maxTimeMs: number | undefined
  readonly clusterTime: Timestamp | undefined
  readonly comment: Value
  readonly apiStrict: boolean
}

/** Reads the generic arguments of a command; refuses what MongoDB refuses. */
export function readGenericArguments(body: Doc): GenericArguments {
  const sessionId = readSessionId(body)
  const apiStrict = readApiVersion(body)
  return {
    sessionId,
    apiStrict,
    txnNumber: readTxnNumber(body, sessionId),
    startTransaction: readFlag(body, 'startTransaction') ?? false,
    autocommit: readFlag(body, 'autocommit'),
    statementIds: readStatementIds(body),
    readConcern: read(body, 'readConcern', readReadConcern),
    writeConcern: read(body, 'writeConcern', readWriteConcern),
    maxTimeMs: read(body, 'maxTimeMS', readMaxTime),
    clusterTime: readClusterTime(body),
    comment: body.get('comment')
  }
}

function read<T>(body: Doc, name: string, reader: (value: Value) => T): T | undefined {
  const value = body.get(name)
  return value === undefined || value === null ? undefined : reader(value)
}

function readFlag(body: Doc, name: string): boolean | undefined {
  return read(body, name, (value) => boolean.read(value, name))
}

const ID_BYTES = 16

function readSessionId(body: Doc): string | undefined {
  return read(body, 'lsid', (value) => sessionIdOf(document.read(value, 'lsid')))
}

/** Hex of a logical session's id, from its `lsid` document. */
export function sessionIdOf(lsid: Doc): string {
  const id = required(lsid.get('id'), 'OperationSessionInfo.lsid.id')
  if (!(id instanceof Binary)) {
    throw commandError('TypeMismatch', "BSON field 'lsid.id' is the wrong type, expected 'binData'")
  }
  if (id.sub_type !== Binary.SUBTYPE_UUID || id.length() !== ID_BYTES) {
    throw commandError('InvalidUUID', "BSON field 'lsid.id' must be a UUID of 16 bytes")
  }
  return Buffer.from(id.value()).toString('hex')
}

function readTxnNumber(body: Doc, sessionId: string | undefined): bigint | undefined {
  const txnNumber = read(body, 'txnNumber', (value) => {
    if (value instanceof Long) return value.toBigInt()
    return BigInt(integer.read(value, 'txnNumber'))
  })
  if (txnNumber === undefined) return undefined
  if (sessionId === undefined) {
    throw commandError(
      'InvalidOptions',
      'Transaction number requires a session ID to also be specified'
    )
  }
  if (txnNumber < 0n) {
    throw commandError('InvalidOptions', 'Transaction number cannot be negative')
  }
  return txnNumber
}

function readStatementIds(body: Doc): readonly number[] | undefined {
  const one = read(body, 'stmtId', (value) => [integer.read(value, 'stmtId')])
  const many = read(body, 'stmtIds', (value) => {
    if (!Array.isArray(value)) throw commandError('TypeMismatch', "'stmtIds' must be an array")
    return value.map((element) => integer.read(element, 'stmtIds'))
  })
  if (one && many) {
    throw commandError('InvalidOptions', "May not specify both 'stmtId' and 'stmtIds'")
  }
  return one ?? many
}

const LEVELS: ReadonlySet<string> = new Set([
  'local',
  'majority',
  'linearizable',
  'available',
  'snapshot'
])

const READ_CONCERN = {
  level: string,
  afterClusterTime: { read: readTimestamp },
  atClusterTime: { read: readTimestamp },
  provenance: string
}

function readReadConcern(value: Value): ReadConcern {
  const fields = readFields('readConcern', document.read(value, 'readConcern'), READ_CONCERN)
  if (fields.level !== undefined && !LEVELS.has(fields.level)) {
    throw commandError(
      'BadValue',
      `Enumeration value '${fields.level}' for field 'readConcern.level' is not a valid value.`
    )
  }
  if (fields.atClusterTime && fields.level !== 'snapshot') {
    throw commandError(
      'InvalidOptions',
      'readConcern level snapshot is required when specifying atClusterTime'
    )
  }
  return { level: fields.level, atClusterTime: fields.atClusterTime }
}

function readTimestamp(value: Value, path: string): Timestamp {
  if (value instanceof Timestamp) return value
  throw commandError('TypeMismatch', `BSON field '${path}' must be a timestamp`)
}

const MAX_MEMBERS = 50
const WRITE_CONCERN = {
  w: { read: (value: Value) => value },
  j: boolean,
  fsync: boolean,
  wtimeout: integer,
  wtimeoutMS: integer,
  provenance: string
}

function readWriteConcern(value: Value): WriteConcern {
  const fields = readFields('writeConcern', document.read(value, 'writeConcern'), WRITE_CONCERN)
  const journaled = fields.j === true || fields.fsync === true
  const { w } = fields
  if (w === undefined || w === 'majority')
    return { durability: 'flushed', unsatisfiable: undefined }
  if (typeof w === 'string') {
    const unsatisfiable: WriteConcernError = {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`
    }
    return { durability: 'flushed', unsatisfiable }
  }
  const members = isNumeric(w) ? Number(w.toString()) : Number.NaN
  if (!Number.isInteger(members) || members < 0 || members > MAX_MEMBERS) {
    throw commandError(
      'FailedToParse',
      `w has to be a non-negative number not greater than ${MAX_MEMBERS}, or a string`
    )
  }
  const unsatisfiable: WriteConcernError | undefined =
    members > 1
      ? {
          code: 100,
          codeName: 'UnsatisfiableWriteConcern',
          errmsg: 'Not enough data-bearing nodes'
        }
      : undefined
  return { durability: journaled || members > 1 ? 'flushed' : 'committed', unsatisfiable }
}

const MAX_TIME = 2 ** 31 - 1

function readMaxTime(value: Value): number | undefined {
  const milliseconds = count.read(value, 'maxTimeMS')
  if (milliseconds > MAX_TIME) {
    throw commandError('BadValue', `maxTimeMS value must be at most ${MAX_TIME}`)
  }
  return milliseconds === 0 ? undefined : milliseconds
}

function readClusterTime(body: Doc): Timestamp | undefined {
  return read(body, '$clusterTime', (value) => {
    const time = document.read(value, '$clusterTime').get('clusterTime')
    return readTimestamp(required(time, '$clusterTime.clusterTime'), '$clusterTime.clusterTime')
  })
}

function readApiVersion(body: Doc): boolean {
  const version = read(body, 'apiVersion', (value) => string.read(value, 'apiVersion'))
  const strict = readFlag(body, 'apiStrict') ?? false
  if (version !== undefined && version !== '1') {
    throw commandError('APIVersionError', "API version must be '1'")
  }
  if (version === undefined && (strict || body.has('apiDeprecationErrors'))) {
    throw commandError(
      'APIVersionError',
      "Provided apiStrict or apiDeprecationErrors without passing 'apiVersion'"
    )
  }
  return strict
}
