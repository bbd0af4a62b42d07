// Commands on databases and collections: list, create, drop, rename, change.
import { Binary, Int32 } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import { filtered } from '../engine/filtered.ts'
import type { CollectionInfo, DatabaseInfo } from '../engine.ts'
import { parseFilter } from '../query/filter.ts'
import type { Call, Command } from './command.ts'
import { answer } from './command.ts'
import { openCursor, readCursorOptions, sourceOfList, wholeNumber } from './cursor-answers.ts'
import {
  anything,
  boolean,
  document,
  GENERIC_ARGUMENTS,
  readCommand,
  required,
  string
} from './fields.ts'
import { namespaceOf, parseNamespace, spell } from './namespace.ts'

/** A command's own fields, for commands whose options the engine reads. */
function ownFields({ name, body }: Call): Doc {
  return new Map([...body].filter(([field]) => field !== name && !GENERIC_ARGUMENTS.has(field)))
}

const create: Command = {
  name: 'create',
  inTransaction: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    await call.services.engine.createCollection(namespaceOf(call), ownFields(call), call.context)
    return answer()
  }
}

const drop: Command = {
  name: 'drop',
  isWrite: true,
  isStable: true,
  async run(call) {
    const namespace = namespaceOf(call)
    readCommand(call, {})
    const dropped = await call.services.engine.dropCollection(namespace, call.context)
    if (!dropped) return answer()
    return answer(['nIndexesWas', new Int32(dropped.nIndexesWas)], ['ns', spell(namespace)])
  }
}

const dropDatabase: Command = {
  name: 'dropDatabase',
  isWrite: true,
  isStable: true,
  async run(call) {
    readCommand(call, {})
    await call.services.engine.dropDatabase(call.db, call.context)
    return answer(['dropped', call.db])
  }
}

const collMod: Command = {
  name: 'collMod',
  isWrite: true,
  isStable: true,
  async run(call) {
    const { engine } = call.services
    return { fields: await engine.collMod(namespaceOf(call), ownFields(call), call.context) }
  }
}

const RENAME = { to: string, dropTarget: boolean, stayTemp: boolean }

const renameCollection: Command = {
  name: 'renameCollection',
  adminOnly: true,
  isWrite: true,
  async run(call) {
    const fields = readCommand(call, RENAME)
    const from = string.read(call.body.get(call.name), 'renameCollection.renameCollection')
    await call.services.engine.renameCollection(
      parseNamespace(from, 'renameCollection'),
      parseNamespace(required(fields.to, 'renameCollection.to'), 'to'),
      { dropTarget: fields.dropTarget ?? false },
      call.context
    )
    return answer()
  }
}

const LIST_COLLECTIONS = {
  filter: document,
  nameOnly: boolean,
  authorizedCollections: boolean,
  cursor: document
}

const listCollections: Command = {
  name: 'listCollections',
  isStable: true,
  async run(call) {
    const fields = readCommand(call, LIST_COLLECTIONS)
    const filter = parseFilter(fields.filter ?? new Map(), {})
    const present = call.services.engine.listCollections(call.db).map(describeCollection)
    const listed = await filtered(present, filter, call.context)
    const shown = fields.nameOnly ? listed.map(onlyName) : listed
    return openCursor(
      call,
      { db: call.db, collection: '$cmd.listCollections' },
      sourceOfList(shown),
      readCursorOptions('listCollections', fields.cursor)
    )
  }
}

function describeCollection({ name, type, options, uuid }: CollectionInfo): Doc {
  return new Map<string, Value>([
    ['name', name],
    ['type', type],
    ['options', options],
    [
      'info',
      new Map<string, Value>([
        ['readOnly', false],
        ['uuid', new Binary(uuid, Binary.SUBTYPE_UUID)]
      ])
    ],
    [
      'idIndex',
      new Map<string, Value>([
        ['v', new Int32(2)],
        ['key', new Map([['_id', new Int32(1)]])],
        ['name', '_id_']
      ])
    ]
  ])
}

function onlyName(doc: Doc): Doc {
  return new Map([
    ['name', doc.get('name')],
    ['type', doc.get('type')]
  ])
}

const LIST_DATABASES = { filter: document, nameOnly: boolean, authorizedDatabases: anything }

const listDatabases: Command = {
  name: 'listDatabases',
  adminOnly: true,
  isStable: true,
  async run(call) {
    const fields = readCommand(call, LIST_DATABASES)
    const filter = parseFilter(fields.filter ?? new Map(), {})
    const databases = withAdmin(call.services.engine.listDatabases())
    const described = databases.map(
      ({ name, sizeOnDisk, empty }) =>
        new Map<string, Value>([
          ['name', name],
          ['sizeOnDisk', wholeNumber(sizeOnDisk)],
          ['empty', empty]
        ])
    )
    const shown = await filtered(described, filter, call.context)
    if (fields.nameOnly) {
      return answer(['databases', shown.map((doc) => new Map([['name', doc.get('name')]]))])
    }
    const total = databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0)
    return answer(
      ['databases', shown],
      ['totalSize', wholeNumber(total)],
      ['totalSizeMb', wholeNumber(Math.floor(total / 2 ** 20))]
    )
  }
}

/** A MongoDB server has the database `admin` from its first start. */
function withAdmin(databases: readonly DatabaseInfo[]): readonly DatabaseInfo[] {
  if (databases.some(({ name }) => name === 'admin')) return databases
  const all = [...databases, { name: 'admin', sizeOnDisk: 0, empty: false }]
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export const COLLECTION_COMMANDS: readonly Command[] = [
  create,
  drop,
  dropDatabase,
  collMod,
  renameCollection,
  listCollections,
  listDatabases
]
