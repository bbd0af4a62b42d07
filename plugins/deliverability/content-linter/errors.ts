// The errors of the content linter, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  LNT_RULE_TAKEN: {
    message: 'Two rules of {plugin} have the id {rule}.',
    remedy: 'Give each rule another id.',
    status: 500
  },
  LNT_RULE_UNKNOWN: {
    message: 'The config of {plugin} names the rule {rule} under severities, which is unknown.',
    remedy: 'Known are: {known}.',
    status: 500
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
