// The errors of the shell.
import type { ErrorTable } from '@keelson/sdk'

export const shellErrors = {
  KRN_SHELL_NOT_BUILT: {
    message: 'The browser files of the shell are not built.',
    remedy: 'Run npm run build, then start again.',
    status: 503
  }
} as const satisfies ErrorTable
