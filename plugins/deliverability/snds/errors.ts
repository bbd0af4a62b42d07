// The errors of SNDS, in one table. Messages never hold the access key.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  SND_CALL_FAILED: {
    message: 'SNDS could not be read: {reason}.',
    remedy: 'It is asked again; check accessKey, and that automated access is on in SNDS.',
    status: 502
  },
  SND_FEED_INVALID: {
    message: 'The answer of SNDS is not a {feed} feed.',
    remedy: 'It is asked again; check accessKey, and that automated access is on in SNDS.',
    status: 502
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
