// Every error the demo plugin can raise.
import { defineErrors } from '@keelson/sdk'

export const errors = defineErrors({
  DEMO_SEED_FAILED: {
    message: 'The sample data of plugin {plugin} could not be written.',
    remedy: 'See the cause; the next start tries again.',
    status: 500
  }
})
