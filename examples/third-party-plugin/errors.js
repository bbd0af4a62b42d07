// Every error that Third party plugin raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  THIR_NOTHING_HELD: {
    message: 'Nothing was held.',
    remedy: 'There is nothing to forget.',
    status: 404
  }
})
