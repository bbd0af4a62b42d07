// What can go wrong with calls to the outside: rows of the kernel's error table.
import type { ErrorTable } from '@keelson/sdk'

export const networkErrors = {
  KRN_HOST_UNDECLARED: {
    message: 'Plugin {plugin} calls {host}, which its plugin.json does not declare.',
    remedy: 'Declare the host under `network` if the plugin is meant to call it.',
    status: 500
  },
  KRN_FETCH_PROTOCOL: {
    message:
      'Plugin {plugin} calls an address with {protocol}, and only http and https are allowed.',
    remedy: 'Use an http or https address.',
    status: 500
  },
  KRN_FETCH_REDIRECTS: {
    message: 'Plugin {plugin}: {host} answered with more than {count} redirects.',
    remedy: 'Call the address that they lead to.',
    status: 502
  },
  KRN_FETCH_TIMEOUT: {
    message: 'Plugin {plugin}: the call to {host} did not end within {seconds} s.',
    remedy: 'Try again later, or ask for less at a time.',
    status: 504
  },
  KRN_FETCH_SIZE: {
    message: 'Plugin {plugin}: the answer of {host} is longer than {bytes} bytes.',
    remedy: 'Ask for less at a time.',
    status: 502
  }
} as const satisfies ErrorTable
