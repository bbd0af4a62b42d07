// Every word that list hygiene refuses a call with.
import { defineRefusals } from '@keelson/sdk'

/** The refusals of list hygiene. */
export const refusals = defineRefusals({
  report_pending: {
    status: 503,
    message: 'The first report on the list is not finished: it counts every subscriber once.',
    fix: 'Ask again in a minute.'
  }
})
