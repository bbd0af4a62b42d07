// keelson oauth users forget | revoke-all | leave-context.
import type { CommandAnswer, CommandCall, CommandHost, PluginCommand } from '@keelson/sdk'
import type { RevocationCounts } from '../grants/access.ts'
import { answer, hostOf, idOf, textOption } from './call.ts'

const NO_ID = { wrongUse: 'The id of the person is missing.' }

function forget(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    if (idOf(call) === '') return NO_ID
    const deleted = await hostOf(host).users.forget(idOf(call))
    const text = `Forgotten. ${deleted.grants} grants and ${deleted.tokens} tokens deleted.`
    return { json: deleted, text }
  })
}

function revokeAll(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    if (idOf(call) === '') return NO_ID
    const reason = textOption(call, 'reason')
    const options = reason === undefined ? {} : { reason }
    return endedAnswer(await hostOf(host).users.revokeAll(idOf(call), options))
  })
}

function leaveContext(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  return answer(async () => {
    if (idOf(call) === '') return NO_ID
    const contextId = textOption(call, 'context') ?? ''
    if (contextId === '') return { wrongUse: '--context is missing.' }
    return endedAnswer(await hostOf(host).contexts.revoked(idOf(call), contextId))
  })
}

const endedAnswer = (ended: RevocationCounts): CommandAnswer => ({
  json: ended,
  text: `${ended.grantsRevoked} grants and ${ended.tokensRevoked} tokens ended.`
})

export const userCommands: readonly PluginCommand[] = [
  {
    name: 'users forget',
    summary: 'Deletes everything about a person except one audit row without their id.',
    positionals: '<id>',
    run: forget
  },
  {
    name: 'users revoke-all',
    summary: 'Ends all access that a person granted; records stay.',
    positionals: '<id>',
    options: { reason: { type: 'string', description: 'For the audit.' } },
    run: revokeAll
  },
  {
    name: 'users leave-context',
    summary: 'Ends the access that a person granted for a context.',
    positionals: '<id>',
    options: { context: { type: 'string', description: 'The id of the context.' } },
    run: leaveContext
  }
]
