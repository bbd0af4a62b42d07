// Commands on open cursors: getMore and killCursors.
import { Long } from 'bson'
import type { Value } from '../bson/value.ts'
import type { OpenCursor } from '../cursors/cursor-registry.ts'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import { MAX_BSON_OBJECT_SIZE } from '../wire/limits.ts'
import type { CursorBatch } from '../wire/message.ts'
import type { Answer, Call, Command } from './command.ts'
import { answer } from './command.ts'
import { ownerOf } from './cursor-answers.ts'
import { anything, array, count, readCommand, required, string } from './fields.ts'
import { checkNamespace, namespaceOf, spell } from './namespace.ts'

/** How long a change stream waits for its next event when the client does not say. */
const AWAIT_MS = 1000

const GET_MORE = { collection: string, batchSize: count, term: anything }

const getMore: Command = {
  name: 'getMore',
  inTransaction: true,
  endsWithClient: true,
  ignoresReadConcern: true,
  isStable: true,
  async run(call) {
    const fields = readCommand(call, GET_MORE)
    const id = readCursorId(call.body.get(call.name), 'getMore')
    const namespace = {
      db: call.db,
      collection: required(fields.collection, 'getMore.collection')
    }
    checkNamespace(namespace)
    const { cursors } = call.services
    const cursor = cursors.checkOut(id, namespace, ownerOf(call))
    if (cursor.isChangeStream) call.noteChangeStream()
    return nextBatch(call, cursor, fields.batchSize)
  }
}

async function nextBatch(
  { services, generic, running }: Call,
  cursor: OpenCursor,
  batchSize: number | undefined
): Promise<Answer> {
  const { cursors } = services
  let documents: Uint8Array[]
  try {
    documents = await cursor.source.next({
      maxDocs: batchSize || Number.POSITIVE_INFINITY,
      maxBytes: MAX_BSON_OBJECT_SIZE,
      waitMs: generic.maxTimeMs ?? AWAIT_MS,
      signal: AbortSignal.any([running.signal, cursor.killed.signal])
    })
  } catch (error) {
    const wasKilled = cursor.isKilled
    cursor.isKilled = true
    cursors.checkIn(cursor, services.now())
    throw wasKilled ? cursorKilled(cursor) : error
  }
  const wasKilled = cursor.isKilled
  cursors.checkIn(cursor, services.now())
  if (wasKilled) throw cursorKilled(cursor)
  const more = cursor.source.extra?.()
  const batch: CursorBatch = {
    field: 'nextBatch',
    documents,
    id: cursor.source.exhausted ? 0n : cursor.id,
    namespace: spell(cursor.namespace),
    ...(more && { more })
  }
  return { fields: new Map(), batch }
}

function cursorKilled({ id }: OpenCursor) {
  return commandError('CursorKilled', `cursor id ${id} was killed`)
}

function readCursorId(value: Value, command: string): bigint {
  if (value instanceof Long) return value.toBigInt()
  throw commandError('TypeMismatch', `Field '${command}' must be of type long`)
}

const killCursors: Command = {
  name: 'killCursors',
  inTransaction: true,
  ignoresReadConcern: true,
  isStable: true,
  async run(call) {
    const { cursors: ids } = readCommand(call, { cursors: array })
    const namespace: Namespace = namespaceOf(call)
    const killed: Value[] = []
    const missing: Value[] = []
    for (const id of required(ids, 'killCursors.cursors')) {
      const found = call.services.cursors.kill(readCursorId(id, 'cursors'), namespace)
      ;(found ? killed : missing).push(id)
    }
    return answer(
      ['cursorsKilled', killed],
      ['cursorsNotFound', missing],
      ['cursorsAlive', []],
      ['cursorsUnknown', []]
    )
  }
}

export const CURSOR_COMMANDS: readonly Command[] = [getMore, killCursors]
