// keelson enable, keelson disable: switch a plugin on the platform of this folder, running or not.
import { userInfo } from 'node:os'
import type { CommandAnswer, CommandCall } from '@keelson/sdk'
import { changePlugin } from '../../changes/change-plugin.ts'
import { errors } from '../../errors/errors.ts'
import { systemClock } from '../../system-clock.ts'
import type { Command, CommandContext } from '../command.ts'
import { findPlatform, withStorage } from '../platform.ts'

const DETAILS =
  'Writes the next revision of the settings in the database. Processes of keelson serve apply it within 10 seconds, others at their next start. Data and config file stay as they are.'

const options = {
  actor: {
    type: 'string',
    placeholder: 'NAME',
    description: 'Who does it, for the audit log. Default: the user of this machine.'
  }
} as const

export const enable: Command = {
  name: 'enable',
  summary: 'Enable a plugin, also while the platform runs.',
  details: DETAILS,
  positionals: '<plugin>',
  options,
  run: (context, call) => change(context, call, true)
}

export const disable: Command = {
  name: 'disable',
  summary: 'Disable a plugin, also while the platform runs. Its data stays.',
  details: DETAILS,
  positionals: '<plugin>',
  options,
  run: (context, call) => change(context, call, false)
}

async function change(
  context: CommandContext,
  { args: [plugin = ''], options: { actor } }: CommandCall,
  enabled: boolean
): Promise<CommandAnswer> {
  const platform = await findPlatform(context)
  if (platform.inCode.length > 0) {
    throw errors.KRN_CLI_CHANGE_IN_CODE({ plugins: platform.inCode.join(', ') })
  }
  const name = typeof actor === 'string' ? actor : userInfo().username
  const revision = await withStorage(platform, ({ db }) =>
    changePlugin(
      {
        base: { config: platform.read.source, env: context.env },
        db,
        clock: systemClock,
        mayLockOut: true
      },
      { name: `cli:${name}`, via: 'cli' },
      { plugin, enabled }
    )
  )
  const state = enabled ? 'enabled' : 'disabled'
  if (revision === undefined) {
    return { text: `${plugin} is ${state} already.`, json: { plugin, enabled, revision: null } }
  }
  return {
    text: `${plugin} is ${state} from revision ${revision.revision} on.`,
    json: { plugin, enabled, revision: revision.revision }
  }
}
