// The errors of list hygiene, in one table.
import type { ErrorTable } from '@keelson/sdk'

export const errorTable = {
  LHG_REPORT_PENDING: {
    message: 'The first report on the list is not finished: it counts every subscriber once.',
    remedy: 'Ask again in a minute.',
    status: 503
  }
} as const satisfies ErrorTable
