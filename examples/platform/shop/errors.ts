// Every error the shop can raise.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  SHOP_SAMPLE_MAIL: {
    message: 'The sample {what} could not be written: {problem}.',
    remedy: 'The next start tries again.',
    status: 500
  }
})
