// Every error that Rates plugin raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  RATE_API_REFUSED: {
    message: 'The API of rates answered {status}.',
    remedy: 'Check apiUrl and base in the config. The job asks again when it is due.',
    status: 502
  },
  RATE_API_UNREADABLE: {
    message: 'The API of rates did not answer with a date and rates.',
    remedy: 'Check that apiUrl in the config is the address of such an API.',
    status: 502
  }
})
