// The errors of the content scorer, in one table. Messages never hold the key of the service.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  SCR_CALL_FAILED: {
    message: 'The content scorer could not be asked: {reason}.',
    remedy: 'Try again later; check apiKey and baseUrl.',
    status: 502
  },
  SCR_ANSWER_INVALID: {
    message: 'The answer of the content scorer cannot be read: {problem} is missing.',
    remedy: 'Check service and baseUrl.',
    status: 502
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
