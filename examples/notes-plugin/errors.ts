// Every error that Notes plugin raises: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  NOTE_WEBHOOK_REFUSED: {
    message: 'The webhook answered {status}.',
    remedy: 'Check webhookUrl in the config. The note is sent again.',
    status: 502
  }
})
