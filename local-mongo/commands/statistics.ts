// Commands that measure: collStats, dbStats, validate, serverStatus.
import { hostname } from 'node:os'
import { Double, Int32 } from 'bson'
import type { Doc, Value } from '../bson/value.ts'
import { isDoc, isNumeric } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { VERSION } from './build-info.ts'
import type { Command } from './command.ts'
import { answer } from './command.ts'
import { wholeNumber } from './cursor-answers.ts'
import { anything, boolean, integer, readCommand } from './fields.ts'
import { namespaceOf, spell } from './namespace.ts'

/** Fields that count bytes and so obey `scale`. */
const SIZES: ReadonlySet<string> = new Set([
  'size',
  'storageSize',
  'freeStorageSize',
  'totalIndexSize',
  'indexSizes',
  'totalSize',
  'dataSize',
  'indexSize',
  'fsUsedSize',
  'fsTotalSize'
])

function scaled(fields: Doc, scale: number): Doc {
  const out: Doc = new Map()
  for (const [name, value] of fields) out.set(name, SIZES.has(name) ? divide(value, scale) : value)
  out.set('scaleFactor', wholeNumber(scale))
  return out
}

function divide(value: Value, scale: number): Value {
  if (isDoc(value)) return new Map([...value].map(([name, inner]) => [name, divide(inner, scale)]))
  if (!isNumeric(value)) return value
  const size = Number(value.toString()) / scale
  return value instanceof Double ? new Double(size) : wholeNumber(Math.floor(size))
}

function readScale(scale: number | undefined): number {
  if (scale === undefined) return 1
  if (scale >= 1) return scale
  throw commandError('BadValue', 'scale has to be a number greater than 0')
}

const collStats: Command = {
  name: 'collStats',
  aliases: ['collstats'],
  async run(call) {
    const { scale } = readCommand(call, { scale: integer, verbose: boolean })
    const namespace = namespaceOf(call)
    const stats = scaled(call.services.engine.collStats(namespace), readScale(scale))
    return { fields: new Map([['ns', spell(namespace)], ...stats]) }
  }
}

const dbStats: Command = {
  name: 'dbStats',
  aliases: ['dbstats'],
  async run(call) {
    const { scale } = readCommand(call, { scale: integer, freeStorage: anything })
    const stats = scaled(call.services.engine.dbStats(call.db), readScale(scale))
    return { fields: new Map([['db', call.db], ...stats]) }
  }
}

const VALIDATE = {
  full: boolean,
  scandata: boolean,
  background: boolean,
  repair: boolean,
  metadata: boolean,
  checkBSONConformance: boolean
}

const validate: Command = {
  name: 'validate',
  async run(call) {
    const { repair } = readCommand(call, VALIDATE)
    if (repair) throw commandError('InvalidOptions', 'validate does not repair')
    return { fields: await call.services.engine.validate(namespaceOf(call), call.context) }
  }
}

const serverStatus: Command = {
  name: 'serverStatus',
  isSessionless: true,
  async run({ services }) {
    const { current, available, totalCreated } = services.connections()
    const memory = process.memoryUsage()
    const { bytes, commits } = services.engine.fileUsage()
    const uptime = services.now() - services.facts.startedAt.getTime()
    return answer(
      ['host', hostname()],
      ['version', VERSION],
      ['process', 'local-mongo'],
      ['pid', wholeNumber(process.pid)],
      ['uptime', new Double(Math.floor(uptime / 1000))],
      ['uptimeMillis', wholeNumber(uptime)],
      ['localTime', new Date(services.now())],
      ['connections', counts({ current, available, totalCreated })],
      ['mem', new Map([['resident', new Int32(Math.round(memory.rss / 2 ** 20))]])],
      [
        'metrics',
        new Map([
          [
            'cursor',
            new Map<string, Value>([
              ['open', counts({ total: services.cursors.size })],
              ['timedOut', wholeNumber(services.cursors.timedOut)]
            ])
          ]
        ])
      ],
      ['logicalSessionRecordCache', counts({ activeSessionsCount: services.sessions.size })],
      [
        'storageEngine',
        new Map<string, Value>([
          ['name', 'lmdb'],
          ['persistent', true],
          ['usedBytes', wholeNumber(bytes)],
          ['commits', wholeNumber(commits)]
        ])
      ],
      [
        'repl',
        new Map<string, Value>([
          ['setName', services.facts.setName],
          ['isWritablePrimary', true],
          ['primary', services.facts.address],
          ['me', services.facts.address]
        ])
      ]
    )
  }
}

function counts(numbers: Readonly<Record<string, number>>): Doc {
  return new Map(Object.entries(numbers).map(([name, value]) => [name, wholeNumber(value)]))
}

export const STATISTICS: readonly Command[] = [collStats, dbStats, validate, serverStatus]
