// Every word that the API of Digest plugin refuses a call with: what is wrong, and what to do.
import { defineRefusals } from '@keelson/sdk'

export const refusals = defineRefusals({
  no_telemetry: {
    status: 503,
    message: 'This platform keeps no telemetry.',
    fix: 'Turn the plugin telemetry on in the config of the platform.'
  }
})
