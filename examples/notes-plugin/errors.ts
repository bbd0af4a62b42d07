// Every error of Notes plugin: what happened, what to do, and the HTTP status.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  NOTE_TEXT_EMPTY: {
    message: 'A note must have text.',
    remedy: 'Write something and send it again.',
    status: 400
  },
  NOTE_WEBHOOK_REFUSED: {
    message: 'The webhook answered {status}.',
    remedy: 'Check webhookUrl in the config. The note is sent again.',
    status: 502
  }
})
