// The commands of the plugin: keelson oauth clients … and keelson oauth users ….
import type { PluginCommand } from '@keelson/sdk'
import { clientCommands } from './command-line/client-commands.ts'
import { userCommands } from './command-line/user-commands.ts'

const commands: readonly PluginCommand[] = [...clientCommands, ...userCommands]

export default commands
