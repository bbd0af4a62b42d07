// The errors of the circuit breaker, in one table.
import { defineErrors, type ErrorTable } from '@keelson/sdk'

export const errorTable = {
  CBR_EVIDENCE_INVALID: {
    message: 'The evidence that {by} gave to trip a bucket is invalid: {path} {problem}.',
    remedy: 'Give senderDomain, kind, by, reason and evidenceId as texts within their limits.',
    status: 400
  },
  CBR_MAIL_WAITS: {
    message: 'The mail about a trip was not sent: {problem}.',
    remedy: 'Nothing: it is sent with one of the next ticks. When it stays, look at the mailer.',
    status: 503
  }
} as const satisfies ErrorTable

export const errors = defineErrors(errorTable)
