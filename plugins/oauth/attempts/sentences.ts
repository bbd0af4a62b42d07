// What the steps of an authorization say, where the server words them itself.
import { defineSentences } from '@keelson/sdk'

/** By code; the page of diagnostics has the same in other languages. */
export const attemptSentences = {
  'attempt.waitsForApproval': 'The client waits for approval.',
  'attempt.disabled': 'The client is disabled.',
  'attempt.unknownClient': 'Unknown client {client}: {reason}.',
  'attempt.asked': 'Asked for {scopes}, at {resources}.',
  'attempt.grantedBefore': 'Everything was granted before.',
  'attempt.consentShown': 'The consent page was shown.',
  'attempt.approved': 'Approved {scopes}; a code was sent back.',
  'attempt.trusted': 'The client is trusted with {scopes}; a code was sent back.',
  'attempt.approvedDevice': 'Approved {scopes} for a device.',
  'attempt.denied': 'The person denied access.',
  'attempt.exchanged': 'The code was exchanged for tokens.',
  'attempt.usedAgain': 'The code was used again: its tokens were ended.',
  'attempt.deviceWaits': 'A device waits for a person to type its code.'
} as const

export const say = defineSentences(attemptSentences)
