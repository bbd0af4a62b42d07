// Why a bucket trips or is warned about, and its line on the setup list.
import { defineSentences } from '@keelson/sdk'

/** By code; pages have the same in other languages. */
export const breakerSentences = {
  'breaker.trip.hardBounce':
    'Hard bounces {rate}% of {sent} mails in {minutes} minutes, limit {limit}%.',
  'breaker.trip.complaint':
    'Complaints {rate}% of {sent} mails in {minutes} minutes, limit {limit}%.',
  'breaker.trip.bounce': 'Bounces {rate}% of {sent} mails in {minutes} minutes, limit {limit}%.',
  'breaker.warn.hardBounce':
    'Hard bounces {rate}% of {sent} mails in 7 days, limit {limit}%: too few mails to stop sending, too many for chance.',
  'breaker.warn.complaint':
    'Complaints {rate}% of {sent} mails in 7 days, limit {limit}%: too few mails to stop sending, too many for chance.',
  'breaker.warn.bounce':
    'Bounces {rate}% of {sent} mails in 7 days, limit {limit}%: too few mails to stop sending, too many for chance.',
  'breaker.warn.refused':
    "{name} refused {refused} of {all} mails in 24 hours for the sender's reputation or authentication.",
  'breaker.warn.refusedOther':
    "Other mailbox providers refused {refused} of {all} mails in 24 hours for the sender's reputation or authentication."
} as const

/** The same for the line of the setup list. */
export const breakerSetupSentences = {
  'breaker.setup.never': 'Not evaluated yet.',
  'breaker.setup.worker': 'Start a worker.',
  'breaker.setup.fine': 'No rate is too high.',
  'breaker.setup.tripped': 'Marketing mail is held: {tripped} of {all} buckets tripped.',
  'breaker.setup.care': '{count} of {all} buckets need attention.'
} as const

export const say = defineSentences({ ...breakerSentences, ...breakerSetupSentences })
