// The findAndModify command.
import { Int32 } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc } from '../bson/value.ts'
import type { FindAndModifyRequest, FindAndModifyResult } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Command } from './command.ts'
import { boolean, document, documents, hint, modification, present, readCommand } from './fields.ts'
import type { Asked } from './find.ts'
import { namespaceOf } from './namespace.ts'

const FIND_AND_MODIFY = {
  query: document,
  sort: document,
  remove: boolean,
  update: modification,
  new: boolean,
  fields: document,
  upsert: boolean,
  bypassDocumentValidation: boolean,
  collation: document,
  arrayFilters: documents,
  hint,
  let: document
}

/** Reads a findAndModify command's own fields. */
export function readFindAndModify(asked: Asked): FindAndModifyRequest {
  const fields = readCommand(asked, FIND_AND_MODIFY)
  const remove = fields.remove ?? false
  const upsert = fields.upsert ?? false
  refuse(
    remove === (fields.update !== undefined),
    'Either an update or remove=true must be specified, not both'
  )
  refuse(remove && upsert, 'Cannot specify both upsert=true and remove=true ')
  refuse(
    remove && fields.new === true,
    "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document"
  )
  refuse(remove && fields.arrayFilters !== undefined, 'Cannot specify arrayFilters and remove=true')
  return present({
    filter: fields.query ?? new Map(),
    sort: fields.sort,
    remove,
    update: fields.update,
    returnNew: fields.new ?? false,
    upsert,
    projection: fields.fields,
    arrayFilters: fields.arrayFilters,
    hint: fields.hint,
    collation: fields.collation,
    let: fields.let
  })
}

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) throw commandError('FailedToParse', message)
}

const findAndModify: Command = {
  name: 'findAndModify',
  aliases: ['findandmodify'],
  inTransaction: true,
  isRetryable: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    const request = readFindAndModify(call)
    const { engine } = call.services
    const result = await engine.findAndModify(namespaceOf(call), request, call.context)
    return { fields: describe(result) }
  }
}

function describe({ value, lastErrorObject, retried }: FindAndModifyResult): Doc {
  const last: Doc = new Map([['n', new Int32(lastErrorObject.n)]])
  if (lastErrorObject.updatedExisting !== undefined) {
    last.set('updatedExisting', lastErrorObject.updatedExisting)
  }
  if ('upserted' in lastErrorObject) last.set('upserted', lastErrorObject.upserted)
  const fields: Doc = new Map()
  fields.set('lastErrorObject', last)
  fields.set('value', value && decodeDoc(value))
  if (retried) fields.set('retriedStmtId', new Int32(0))
  return fields
}

export const FIND_AND_MODIFY_COMMANDS: readonly Command[] = [findAndModify]
