// Every word that the content scorer refuses a call with.
import { defineRefusals } from '@keelson/sdk'

/** The refusals of the content scorer. */
export const refusals = defineRefusals({
  bad_id: {
    status: 400,
    message: 'The slug in the address is invalid.',
    fix: 'Use the slug of a template that the mailer lists.'
  },
  not_configured: {
    status: 400,
    message: 'Scoring is not configured.',
    fix: 'Set apiKey in the config of content-scorer.'
  },
  compile_failed: {
    status: 400,
    message: 'The draft does not compile.',
    fix: 'Correct the markup that is named.'
  },
  empty_draft: {
    status: 400,
    message: 'The draft is empty.',
    fix: 'Write the template first.'
  },
  not_found: {
    status: 404,
    message: 'There is no such template or check.',
    fix: 'Use the slug of a template that the mailer lists, and the id of a check of it.'
  },
  send_failed: {
    status: 502,
    message: 'The draft could not be sent to the service.',
    fix: 'Try again; when it keeps failing, check the provider and the config of content-scorer.'
  },
  scorer_failed: {
    status: 502,
    message: 'The service did not answer with a result.',
    fix: 'Try again; when it keeps failing, check the config of content-scorer.'
  }
})
