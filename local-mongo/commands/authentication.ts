// Commands of the SCRAM-SHA-256 conversation, for servers that others than this machine can reach.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Binary, Int32 } from 'bson'
import type { Value } from '../bson/value.ts'
import type { CommandError } from '../errors.ts'
import { commandError } from '../errors.ts'
import { challenge, checkProof } from '../sessions/scram.ts'
import type { Answer, Client, Command, Services } from './command.ts'
import { answer } from './command.ts'
import { anything, boolean, document, integer, readCommand, required, string } from './fields.ts'

export const MECHANISM = 'SCRAM-SHA-256'
/** Guessing is slowed down: one try per connection and this time. */
const REFUSAL_MS = 500

const START = {
  mechanism: string,
  payload: anything,
  options: document,
  autoAuthorize: anything,
  db: string
}

const saslStart: Command = {
  name: 'saslStart',
  isSessionless: true,
  needsNoLogin: true,
  isStable: true,
  async run(call) {
    const fields = readCommand(call, START)
    if (required(fields.mechanism, 'saslStart.mechanism') !== MECHANISM) {
      throw commandError('Location334', `Unsupported mechanism ${fields.mechanism}`)
    }
    const credentials = requireCredentials(call.services)
    const nonce = randomBytes(24).toString('base64')
    const started = challenge(readPayload(fields.payload), credentials, nonce)
    if (!started) return refuse(call.client)
    call.client.login = { kind: 'challenged', challenge: started }
    return conversation(started.message, false)
  }
}

const saslContinue: Command = {
  name: 'saslContinue',
  isSessionless: true,
  needsNoLogin: true,
  isStable: true,
  async run(call) {
    const fields = readCommand(call, { conversationId: integer, payload: anything })
    const credentials = requireCredentials(call.services)
    const { login } = call.client
    if (login.kind === 'done') return conversation('', true)
    if (login.kind !== 'challenged') {
      throw commandError('ProtocolError', 'No SASL session state found')
    }
    const proof = checkProof(readPayload(fields.payload), login.challenge, credentials)
    if (proof === undefined) return refuse(call.client)
    call.client.login = { kind: 'done' }
    return conversation(proof, true)
  }
}

const logout: Command = {
  name: 'logout',
  isSessionless: true,
  needsNoLogin: true,
  async run(call) {
    readCommand(call, { all: boolean })
    call.client.login = { kind: 'none' }
    return answer()
  }
}

function requireCredentials({ credentials }: Services): NonNullable<Services['credentials']> {
  if (credentials) return credentials
  throw commandError('AuthenticationFailed', 'This server asks nobody for a password')
}

function readPayload(payload: Value): string {
  if (payload instanceof Binary) return Buffer.from(payload.value()).toString('utf8')
  return string.read(payload, 'payload')
}

async function refuse(client: Client): Promise<never> {
  client.login = { kind: 'none' }
  await delay(REFUSAL_MS)
  throw commandError('AuthenticationFailed', 'Authentication failed.')
}

function conversation(message: string, done: boolean): Answer {
  return answer(
    ['conversationId', new Int32(1)],
    ['done', done],
    ['payload', new Binary(Buffer.from(message))]
  )
}

/** Why a command of a client that has not logged in is refused; `undefined` when it may run. */
export function refusalWithoutLogin(
  command: Command,
  client: Client,
  { credentials }: Services
): CommandError | undefined {
  if (!credentials || client.isOwner) return undefined
  if (command.needsNoLogin || client.login.kind === 'done') return undefined
  return commandError('Unauthorized', `Command ${command.name} requires authentication`)
}

export const AUTHENTICATION: readonly Command[] = [saslStart, saslContinue, logout]
