// Commands of the data folder's owner, taken only over its socket: letting go of a shared engine, backup.
import { isAbsolute } from 'node:path'
import { Int32 } from 'bson'
import { commandError } from '../errors.ts'
import type { Call, Command } from './command.ts'
import { answer } from './command.ts'
import { readCommand, required, string } from './fields.ts'

/** The command by which a host says that it uses the engine; only a shared engine knows it. */
export const HOLD_COMMAND = 'keelsonHold'
/** The command by which a host lets go; only a shared engine knows it. */
export const RELEASE_COMMAND = 'keelsonRelease'
/** The command that copies a data folder that is being served. */
export const BACKUP_COMMAND = 'keelsonBackup'

function refuseStranger({ name, client, services }: Call, isOffered: boolean): void {
  if (client.isOwner && isOffered) return
  services.log({
    level: 'warn',
    message: 'a command of the owner was refused',
    client: client.name
  })
  throw commandError('CommandNotFound', `no such command: '${name}'`)
}

/** The host that asks uses the engine while its connection is open. */
const hold: Command = {
  name: HOLD_COMMAND,
  adminOnly: true,
  isSessionless: true,
  async run(call) {
    const { hosts } = call.services
    refuseStranger(call, hosts !== undefined)
    hosts?.hold(call.client)
    return answer()
  }
}

/** The host that asks does not use the engine any longer. */
const release: Command = {
  name: RELEASE_COMMAND,
  adminOnly: true,
  isSessionless: true,
  async run(call) {
    const { hosts } = call.services
    refuseStranger(call, hosts !== undefined)
    const others = (await hosts?.release(call.client)) ?? 0
    // Nobody else: no answer is needed, the server ends and cuts the asker off.
    return others > 0 ? answer(['others', new Int32(others)]) : new Promise(() => {})
  }
}

const backup: Command = {
  name: BACKUP_COMMAND,
  adminOnly: true,
  isSessionless: true,
  async run(call) {
    refuseStranger(call, true)
    const to = required(readCommand(call, { to: string }).to, 'keelsonBackup.to')
    if (!isAbsolute(to)) throw commandError('BadValue', `'${to}' is not an absolute path`)
    await call.services.engine.backup(to)
    return answer()
  }
}

export const OWNER_COMMANDS: readonly Command[] = [hold, release, backup]
