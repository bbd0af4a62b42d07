// What a driver asks first: hello and its old spellings, ping, buildInfo.
import { Int32, Long, ObjectId, type Timestamp } from 'bson'
import type { Doc } from '../bson/value.ts'
import { isDoc } from '../bson/value.ts'
import { SESSION_TIMEOUT_MINUTES } from '../sessions/session-registry.ts'
import { MAX_BSON_OBJECT_SIZE, MAX_MESSAGE_SIZE, MAX_WRITE_BATCH_SIZE } from '../wire/limits.ts'
import { MECHANISM } from './authentication.ts'
import { MAX_WIRE_VERSION, MODULE, VERSION } from './build-info.ts'
import type { Call, Command, Services } from './command.ts'
import { answer } from './command.ts'

// One member is elected once and for ever.
const ELECTION_ID = new ObjectId('7fffffff0000000000000001')

const hello: Command = {
  name: 'hello',
  aliases: ['isMaster', 'ismaster'],
  needsNoLogin: true,
  isSessionless: true,
  isStable: true,
  async run(call) {
    noteClient(call)
    return { fields: describeServer(call) }
  }
}

function noteClient({ body, client }: Call): void {
  const application = isDoc(body.get('client')) ? (body.get('client') as Doc).get('application') : 0
  const name = isDoc(application) ? application.get('name') : undefined
  if (typeof name === 'string') client.appName = name.slice(0, 128)
}

function describeServer({ name, body, services, client }: Call): Doc {
  const { facts } = services
  const fields: Doc = new Map()
  if (body.get('helloOk') === true) fields.set('helloOk', true)
  fields.set(name === 'hello' ? 'isWritablePrimary' : 'ismaster', true)
  fields.set('secondary', false)
  fields.set('hosts', [facts.address])
  fields.set('setName', facts.setName)
  fields.set('setVersion', new Int32(1))
  fields.set('primary', facts.address)
  fields.set('me', facts.address)
  fields.set('electionId', ELECTION_ID)
  fields.set('lastWrite', lastWrite(services))
  fields.set('maxBsonObjectSize', new Int32(MAX_BSON_OBJECT_SIZE))
  fields.set('maxMessageSizeBytes', new Int32(MAX_MESSAGE_SIZE))
  fields.set('maxWriteBatchSize', new Int32(MAX_WRITE_BATCH_SIZE))
  fields.set('localTime', new Date(services.now()))
  fields.set('logicalSessionTimeoutMinutes', new Int32(SESSION_TIMEOUT_MINUTES))
  fields.set('connectionId', new Int32(client.connectionId))
  fields.set('minWireVersion', new Int32(0))
  fields.set('maxWireVersion', new Int32(MAX_WIRE_VERSION))
  fields.set('readOnly', false)
  if (services.credentials && body.has('saslSupportedMechs')) {
    fields.set('saslSupportedMechs', [MECHANISM])
  }
  return fields
}

function lastWrite({ clock }: Services): Doc {
  const time: Timestamp = clock.current
  const opTime: Doc = new Map()
  opTime.set('ts', time)
  opTime.set('t', Long.ONE)
  const date = new Date(time.getHighBitsUnsigned() * 1000)
  return new Map<string, Doc | Date>([
    ['opTime', opTime],
    ['lastWriteDate', date],
    ['majorityOpTime', opTime],
    ['majorityWriteDate', date]
  ])
}

const ping: Command = {
  name: 'ping',
  needsNoLogin: true,
  isStable: true,
  run: async () => answer()
}

const buildInfo: Command = {
  name: 'buildInfo',
  aliases: ['buildinfo'],
  async run() {
    const parts = VERSION.split('.').map((part) => new Int32(Number(part)))
    return answer(
      ['version', VERSION],
      ['versionArray', [...parts, new Int32(0)]],
      ['gitVersion', 'none'],
      ['modules', [MODULE]],
      ['allocator', 'system'],
      ['javascriptEngine', 'none'],
      ['bits', new Int32(64)],
      ['debug', false],
      ['maxBsonObjectSize', new Int32(MAX_BSON_OBJECT_SIZE)],
      ['storageEngines', ['lmdb']]
    )
  }
}

export const HANDSHAKE: readonly Command[] = [hello, ping, buildInfo]
