// Every word that the API of Notes plugin refuses a call with: what is wrong, and what to do.
import { defineRefusals } from '@keelson/sdk'

export const refusals = defineRefusals({
  text_empty: {
    status: 400,
    message: 'A note must have text.',
    fix: 'Write something and send it again.'
  }
})
