// The commands of the plugin: keelson mailer setup-sendgrid, and setup-dmarc where @keelson/dmarc is installed.
import type { PluginCommand } from '@keelson/sdk'
import { setupSendgrid } from './host/command-line/setup-sendgrid.ts'
import { whenInstalled } from './host/deliverability.ts'

const dmarc = await whenInstalled('@keelson/dmarc', () => import('@keelson/dmarc'))

const commands: readonly PluginCommand[] = [
  setupSendgrid,
  ...(dmarc === undefined ? [] : [dmarc.setupDmarc])
]

export default commands
