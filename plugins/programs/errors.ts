// The errors of programs, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  PRG_SUBJECT_INVALID: {
    message: 'The id of a subject is invalid: it must be a text of 1 to 256 characters.',
    remedy: 'Give the id of the account or contact that a program knows.',
    status: 400
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
