// Commands on indexes: create, list, drop.
import { Int32 } from 'bson'
import type { Value } from '../bson/value.ts'
import { isDoc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Command } from './command.ts'
import { answer } from './command.ts'
import { openCursor, readCursorOptions, sourceOfList } from './cursor-answers.ts'
import type { FieldType } from './fields.ts'
import { anything, boolean, document, documents, readCommand, required, string } from './fields.ts'
import { namespaceOf } from './namespace.ts'

const CREATE_INDEXES = {
  indexes: documents,
  commitQuorum: anything,
  ignoreUnknownIndexOptions: boolean
}

const createIndexes: Command = {
  name: 'createIndexes',
  inTransaction: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    const fields = readCommand(call, CREATE_INDEXES)
    const indexes = required(fields.indexes, 'createIndexes.indexes')
    if (indexes.length === 0) {
      throw commandError('BadValue', 'Must specify at least one index to create')
    }
    const { engine } = call.services
    const made = await engine.createIndexes(namespaceOf(call), indexes, call.context)
    const reply = answer(
      ['numIndexesBefore', new Int32(made.numIndexesBefore)],
      ['numIndexesAfter', new Int32(made.numIndexesAfter)],
      ['createdCollectionAutomatically', made.createdCollectionAutomatically]
    )
    if (made.note !== undefined) reply.fields.set('note', made.note)
    return reply
  }
}

const listIndexes: Command = {
  name: 'listIndexes',
  isStable: true,
  async run(call) {
    const fields = readCommand(call, { cursor: document })
    const namespace = namespaceOf(call)
    return openCursor(
      call,
      namespace,
      sourceOfList(call.services.engine.listIndexes(namespace)),
      readCursorOptions('listIndexes', fields.cursor)
    )
  }
}

type IndexChoice = string | readonly string[] | Extract<Value, Map<string, Value>>

const indexChoice: FieldType<IndexChoice> = {
  read(value, path) {
    if (typeof value === 'string' || isDoc(value)) return value
    if (Array.isArray(value)) return value.map((name) => string.read(name, path))
    throw commandError(
      'TypeMismatch',
      `BSON field '${path}' must be a name, names, or a key pattern`
    )
  }
}

const dropIndexes: Command = {
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  isWrite: true,
  isStable: true,
  async run(call) {
    const { index } = readCommand(call, { index: indexChoice })
    const { nIndexesWas, msg } = await call.services.engine.dropIndexes(
      namespaceOf(call),
      required(index, 'dropIndexes.index'),
      call.context
    )
    const reply = answer(['nIndexesWas', new Int32(nIndexesWas)])
    if (msg !== undefined) reply.fields.set('msg', msg)
    return reply
  }
}

export const INDEX_COMMANDS: readonly Command[] = [createIndexes, listIndexes, dropIndexes]
