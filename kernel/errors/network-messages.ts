// What can go wrong with calls to the outside: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'
import { fetchErrorRows } from '@keelson/sdk/network'

export const networkErrors = {
  KRN_HOST_UNDECLARED: {
    message: 'Plugin {plugin} calls {host}, which its plugin.json does not declare.',
    remedy: 'Declare the host under `network` if the plugin is meant to call it.',
    status: 500
  },
  ...fetchErrorRows
} as const satisfies ErrorTable
