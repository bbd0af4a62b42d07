// What `$currentOp` and `currentOp` list: commands at work, and what waits for its client.
import { Binary, Int32, Long } from 'bson'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { OpenCursor } from '../cursors/cursor-registry.ts'
import type { OpenTransaction } from '../engine.ts'
import type { Services } from './command.ts'
import { boolean, readFields } from './fields.ts'
import type { IdleConnection, RunningOperation } from './operations.ts'

/** What is listed beside the commands at work. */
export interface CurrentOperations {
  readonly idleConnections: boolean
  readonly idleSessions: boolean
  readonly idleCursors: boolean
}

const OPTIONS = {
  allUsers: boolean,
  idleConnections: boolean,
  idleCursors: boolean,
  idleSessions: boolean,
  localOps: boolean,
  targetAllNodes: boolean,
  truncateOps: boolean
}

/** Reads the options of the stage; MongoDB lists idle sessions unless the client leaves them out. */
export function readCurrentOperations(spec: Doc): CurrentOperations {
  const {
    idleConnections = false,
    idleSessions = true,
    idleCursors = false
  } = readFields('$currentOp', spec, OPTIONS)
  return { idleConnections, idleSessions, idleCursors }
}

/** The documents of the list. */
export function listCurrentOperations(
  { operations, cursors, engine, now }: Pick<Services, 'operations' | 'cursors' | 'engine' | 'now'>,
  wanted: CurrentOperations
): Doc[] {
  const at = now()
  const working = operations.running()
  const sessions = new Set(working.map(({ sessionId }) => sessionId))
  const transactions = engine.transactions
    .open()
    .filter(({ id, isActive }) => !isActive && !sessions.has(id.sessionId))
  return [
    ...working.map((operation) => describeOperation(operation, at)),
    ...(wanted.idleConnections ? operations.idleConnections().map(describeConnection) : []),
    ...(wanted.idleSessions ? transactions.map((open) => describeTransaction(open, at)) : []),
    ...(wanted.idleCursors ? cursors.idle().map(describeCursor) : [])
  ]
}

/** MongoDB cuts longer commands, because a list of many would not fit into a reply. */
const MOST_COMMAND_BYTES = 16_384

function describeOperation(operation: RunningOperation, now: number): Doc {
  const elapsed = now - operation.startedAt
  const doc: Doc = new Map()
  doc.set('type', 'op')
  doc.set('opid', new Int32(operation.id))
  doc.set('active', true)
  doc.set('op', 'command')
  doc.set('ns', operation.namespace)
  doc.set('command', describeCommand(operation))
  describeClient(doc, operation)
  if (operation.sessionId !== undefined) doc.set('lsid', describeSession(operation.sessionId))
  doc.set('currentOpTime', new Date(now).toISOString())
  doc.set('secs_running', new Int32(Math.floor(elapsed / 1000)))
  doc.set('microsecs_running', new Int32(Math.min(elapsed * 1000, 2 ** 31 - 1)))
  return doc
}

function describeCommand({ name, body }: RunningOperation): Doc {
  if (encodeDoc(body).length <= MOST_COMMAND_BYTES) return body
  return new Map<string, Value>([
    [name, body.get(name)],
    ['$truncated', [...body.keys()].join(', ')]
  ])
}

function describeClient(doc: Doc, { client, appName, connectionId }: IdleConnection): void {
  doc.set('client', client)
  if (appName !== undefined) doc.set('appName', appName)
  doc.set('connectionId', new Int32(connectionId))
}

function describeConnection(connection: IdleConnection): Doc {
  const doc: Doc = new Map<string, Value>([
    ['type', 'op'],
    ['desc', `conn${connection.connectionId}`],
    ['active', false],
    ['op', 'none'],
    ['ns', '']
  ])
  describeClient(doc, connection)
  return doc
}

function describeSession(sessionId: string): Doc {
  return new Map([['id', new Binary(Buffer.from(sessionId, 'hex'), Binary.SUBTYPE_UUID)]])
}

function describeTransaction({ id, startedAt, lastUsed }: OpenTransaction, now: number): Doc {
  const micros = (from: number) => Long.fromNumber(Math.max(0, now - from) * 1000)
  return new Map<string, Value>([
    ['type', 'idleSession'],
    ['desc', 'inactive transaction'],
    ['active', false],
    ['lsid', describeSession(id.sessionId)],
    [
      'transaction',
      new Map<string, Value>([
        [
          'parameters',
          new Map<string, Value>([
            ['txnNumber', Long.fromBigInt(id.txnNumber)],
            ['autocommit', false]
          ])
        ],
        ['startWallClockTime', new Date(startedAt).toISOString()],
        ['timeOpenMicros', micros(startedAt)],
        ['timeInactiveMicros', micros(lastUsed)]
      ])
    ]
  ])
}

function describeCursor(cursor: OpenCursor): Doc {
  const doc: Doc = new Map<string, Value>([
    ['type', 'idleCursor'],
    ['ns', `${cursor.namespace.db}.${cursor.namespace.collection}`]
  ])
  if (cursor.sessionId !== undefined) doc.set('lsid', describeSession(cursor.sessionId))
  doc.set(
    'cursor',
    new Map<string, Value>([
      ['cursorId', Long.fromBigInt(cursor.id)],
      ['lastAccessDate', new Date(cursor.lastUsed)],
      ['noCursorTimeout', cursor.noTimeout],
      ['tailable', cursor.isChangeStream],
      ['awaitData', cursor.isChangeStream]
    ])
  )
  return doc
}
