// Every word that OAuth's own API refuses a call with: its status, a sentence, and what to do next.
import { defineRefusals } from '@keelson/sdk'

/** Errors of the table in errors.ts with status 404 have the word `not_found` and their own code. */
export const refusals = defineRefusals({
  not_found: {
    status: 404,
    message: 'It was not found.',
    fix: 'Use an id that a list of this API answered.'
  },
  login_required: {
    status: 401,
    message: 'Sign in first.',
    fix: 'Sign in as a person: agents and services grant no access.'
  }
})
