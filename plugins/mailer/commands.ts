// The commands of the plugin: keelson mailer setup-sendgrid and setup-dmarc.
import { setupDmarc } from '@keelson/dmarc'
import type { PluginCommand } from '@keelson/sdk'
import { setupSendgrid } from './host/command-line/setup-sendgrid.ts'

const commands: readonly PluginCommand[] = [setupSendgrid, setupDmarc]

export default commands
