// The errors of Postmaster, in one table. Messages name what Google said, never a token or a secret.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  PST_TOKEN_REFUSED: {
    message: 'Google refused the refresh token of Postmaster Tools: {reason}.',
    remedy: 'Authorise the application anew, and set clientId, clientSecret and refreshToken.',
    status: 502
  },
  PST_CALL_FAILED: {
    message: 'Postmaster Tools answered {status} for {domain}: {reason}.',
    remedy: 'It is asked again; check that the domain is verified in Postmaster Tools.',
    status: 502
  },
  PST_ANSWER_INVALID: {
    message: 'The answer of Postmaster Tools for {domain} cannot be read.',
    remedy: 'It is asked again; if it stays, the API has changed.',
    status: 502
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
