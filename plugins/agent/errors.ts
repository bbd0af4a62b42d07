// The errors of the agent API, in one table. What callers get is in answers/refusal.ts.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  AGT_NO_TOKEN: {
    message: 'The agent API has no token.',
    remedy:
      'Set tokens: at least one entry with token and actor. On the platform leave it out where administrators make them.',
    status: 500
  },
  AGT_TOKEN_SHORT: {
    message: 'The token of entry {index} of tokens has fewer than {min} characters.',
    remedy: 'Use a random token of at least {min} characters.',
    status: 500
  },
  AGT_TOKEN_TAKEN: {
    message: 'The token of entry {index} of tokens is in the list already.',
    remedy: 'Give each entry a token that no other entry has.',
    status: 500
  },
  AGT_ACTOR_BLANK: {
    message: 'The actor of entry {index} of tokens is empty.',
    remedy: 'Name the program that uses the token, such as agent:deploy.',
    status: 500
  },
  AGT_TEST_CONTACTS: {
    message: 'testContacts is not a valid regular expression: {problem}',
    remedy: 'Correct the pattern, or set it to null.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
