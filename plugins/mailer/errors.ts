// The errors of the mailer, in one table. Answers to recipients are in the public routes.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  MLR_CONFIG_INVALID: {
    message: 'The mailer configuration is invalid: {path} {problem}.',
    remedy: 'Correct that setting.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
