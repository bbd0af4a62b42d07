// The errors of block lists, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  BLL_CONFIG_INVALID: {
    message: 'The config of {plugin} is invalid: {path} {problem}.',
    remedy: 'Correct that setting.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
