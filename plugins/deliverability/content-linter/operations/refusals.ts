// Every word that the content linter refuses a call with.
import { defineRefusals } from '@keelson/sdk'

/** The refusals of the content linter. */
export const refusals = defineRefusals({
  bad_id: {
    status: 400,
    message: 'The slug in the address is invalid.',
    fix: 'Use the slug of a template that the mailer lists.'
  },
  not_found: {
    status: 404,
    message: 'There is no such template.',
    fix: 'Use the slug of a template that the mailer lists.'
  }
})
