// Commands that make, keep and end sessions, and those that end a transaction.
import { randomBytes } from 'node:crypto'
import { Binary, Int32 } from 'bson'
import { commandError } from '../errors.ts'
import { SESSION_TIMEOUT_MINUTES } from '../sessions/session-registry.ts'
import type { Call, Command, Services } from './command.ts'
import { answer } from './command.ts'
import { anything, array, document, readCommand } from './fields.ts'
import { sessionIdOf } from './generic-arguments.ts'

const startSession: Command = {
  name: 'startSession',
  isSessionless: true,
  async run(call) {
    readCommand(call, {})
    const id = new Binary(randomBytes(16), Binary.SUBTYPE_UUID)
    call.services.sessions.touch(sessionIdOf(new Map([['id', id]])), call.services.now())
    return answer(
      ['id', new Map([['id', id]])],
      ['timeoutMinutes', new Int32(SESSION_TIMEOUT_MINUTES)]
    )
  }
}

/** The sessions that a command names in its first field. */
function namedSessions({ name, body }: Call): Set<string> {
  const named = array.read(body.get(name), name)
  return new Set(named.map((lsid) => sessionIdOf(document.read(lsid, name))))
}

const refreshSessions: Command = {
  name: 'refreshSessions',
  isSessionless: true,
  isStable: true,
  async run(call) {
    readCommand(call, {})
    for (const id of namedSessions(call)) call.services.sessions.touch(id, call.services.now())
    return answer()
  }
}

/** Ends sessions with their cursors, commands and transactions. */
export function endSessions(services: Services, ids: ReadonlySet<string>, except = 0): void {
  services.operations.killSessions(ids, except)
  services.cursors.killSessions(ids)
  for (const id of ids) {
    services.sessions.end(id)
    services.engine.transactions.endSession(id)
  }
}

const endNamed: Command = {
  name: 'endSessions',
  isSessionless: true,
  isStable: true,
  async run(call) {
    readCommand(call, {})
    endSessions(call.services, namedSessions(call), call.running.id)
    return answer()
  }
}

const killSessions: Command = {
  name: 'killSessions',
  isSessionless: true,
  isStable: true,
  async run(call) {
    readCommand(call, {})
    const ids = namedSessions(call)
    if (ids.size === 0) killEverySession(call)
    else endSessions(call.services, ids, call.running.id)
    return answer()
  }
}

const killAllSessions: Command = {
  name: 'killAllSessions',
  aliases: ['killAllSessionsByPattern'],
  isSessionless: true,
  async run(call) {
    readCommand(call, {})
    // There are no users to choose by: every pattern means every session.
    array.read(call.body.get(call.name), call.name)
    killEverySession(call)
    return answer()
  }
}

function killEverySession({ services, running }: Call): void {
  services.operations.killSessions('all', running.id)
  services.cursors.killSessions('all')
  services.snapshots.closeAll()
  endSessions(services, new Set(services.sessions.all()), running.id)
}

function endingOf(call: Call): { readonly sessionId: string; readonly txnNumber: bigint } {
  const { entered } = call
  if (entered.kind === 'end') return entered
  throw commandError('Location125', `${call.name} must be run within a transaction`)
}

const TRANSACTION_END: Readonly<Record<string, typeof anything>> = {
  recoveryToken: anything,
  coordinator: anything
}

const commitTransaction: Command = {
  name: 'commitTransaction',
  adminOnly: true,
  endsTransaction: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    readCommand(call, TRANSACTION_END)
    const id = endingOf(call)
    const { engine, cursors } = call.services
    cursors.killTransaction(id.sessionId, id.txnNumber)
    await engine.transactions.commit(id, { durability: call.context.durability ?? 'flushed' })
    return answer()
  }
}

const abortTransaction: Command = {
  name: 'abortTransaction',
  adminOnly: true,
  endsTransaction: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    readCommand(call, TRANSACTION_END)
    const id = endingOf(call)
    call.services.cursors.killTransaction(id.sessionId, id.txnNumber)
    call.services.engine.transactions.abort(id)
    return answer()
  }
}

export const SESSION_COMMANDS: readonly Command[] = [
  startSession,
  refreshSessions,
  endNamed,
  killSessions,
  killAllSessions,
  commitTransaction,
  abortTransaction
]
