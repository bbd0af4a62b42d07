// The commands of the plugin: keelson dmarc setup-dmarc.
import type { PluginCommand } from '@keelson/sdk'
import { setupDmarc } from './setup/setup-dmarc.ts'

const commands: readonly PluginCommand[] = [setupDmarc]

export default commands
