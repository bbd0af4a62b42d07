// Every error that Relay plugin raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  RELA_NOT_TAKEN: {
    message: 'The relay did not take the mail: {reason}.',
    remedy: 'Check apiUrl and apiKey in the config. The mail waits and is handed over again.',
    status: 502
  }
})
