// What a broken SMTP dialogue means for the mail: refused for good, not taken, or unknown.
import type { BounceClass } from '../../contracts/mailer-provider.ts'
import { judgeBounce } from '../bounces/judge-bounce.ts'
import { type Fault, faultOfDialogue } from '../fault-of-failure.ts'

/** What nodemailer says about a failed dialogue. */
export interface DialogueFailure {
  readonly code?: string
  /** `MAIL FROM`, `RCPT TO`, `DATA`, `CONN`, `AUTH …`. */
  readonly command?: string
  /** Of the last complete reply, as 550. */
  readonly responseCode?: number
  /** That reply. */
  readonly response?: string
  readonly message: string
}

/** What became of the mail. */
export interface DialogueVerdict {
  readonly status: 'rejected' | 'retry' | 'unknown'
  readonly reason: string
  /** Of a mail that is tried again. */
  readonly fault?: Fault
  /** Of a mail that is rejected because of its recipient: there is no such mailbox, or it is full. */
  readonly bounce?: 'hard' | 'soft'
  /** Of a mail that is rejected. */
  readonly bounceClass?: BounceClass
}

/** Commands that are about this mail; a refusal of any other is about the account or the server. */
const OF_THE_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA']
/** Replies of class 5 that an operator can mend: bad sequence, TLS or authentication required or failed. */
const ABOUT_THE_ACCOUNT = [503, 530, 534, 535, 538]

/**
 * `isEndSent`: the final dot may have left. From then on only a complete reply says what became of the mail;
 * before, the server cannot have taken it.
 */
export function judgeFailure(
  failure: DialogueFailure,
  isEndSent: boolean,
  isConnected = true
): DialogueVerdict {
  const { code, command = '', responseCode = 0, response, message } = failure
  const reason = response === undefined ? message : `${command} answered ${response}`
  const isReply = code === 'EMESSAGE' || code === 'EENVELOPE'
  const isRefusal = isReply && responseCode >= 400 && responseCode < 600
  if (isEndSent && !isRefusal) return { status: 'unknown', reason }
  const isTooLarge = code === 'EMESSAGE' && responseCode === 0 && command === 'MAIL FROM'
  const isFinal =
    isRefusal &&
    responseCode >= 500 &&
    OF_THE_MAIL.includes(command) &&
    !ABOUT_THE_ACCOUNT.includes(responseCode)
  if (!isFinal && !isTooLarge)
    return { status: 'retry', reason, fault: faultOfDialogue(failure, isConnected) }
  const bounceClass = isTooLarge ? 'content' : classOf(command, responseCode, response)
  const rejected = { status: 'rejected', reason, bounceClass } as const
  if (bounceClass === 'mailbox') return { ...rejected, bounce: 'hard' }
  return bounceClass === 'mailbox_full' ? { ...rejected, bounce: 'soft' } : rejected
}

/** A refusal of the sender says nothing about the recipient; words behind the data may be about a header. */
function classOf(command: string, code: number, words: string | undefined): BounceClass {
  const refused = command === 'MAIL FROM' ? 'sender' : command === 'DATA' ? 'message' : 'recipient'
  return judgeBounce({ words, code, refused })
}
