// Whether a refusal for good says that the mailbox does not take mail: then it is a bounce. Pure.

/** What a server said to which command. */
export interface Refusal {
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** `hard`: there is no such mailbox. `soft`: it takes no mail now, as when it is full. */
export type MailboxRefusal = 'hard' | 'soft'

/**
 * RFC 3463 codes about the recipient: bad mailbox, bad domain, bad syntax, moved, null MX (RFC 7505), and a
 * mailbox that is disabled. 5.1.7 and 5.1.8 are about the sender.
 */
const HARD = /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/
/** Full, or the mail is too large for it. */
const SOFT = /^5\.2\.\d+$/
const NO_MAILBOX =
  /\b(user|recipient|mailbox|address|account)\b.{0,40}\b(unknown|not found|does(n't| not) exist|invalid|disabled)\b|\b(no such|unknown|invalid) (user|recipient|mailbox|address|account)\b/i

/**
 * Undefined for a refusal of sender, content or authentication (5.7.x, as 5.7.515 of Outlook): it says nothing
 * about the recipient, and must never suppress the address.
 */
export function mailboxRefusal(refusal: Refusal): MailboxRefusal | undefined {
  const { command, responseCode = 0, response = '' } = refusal
  if ((command !== 'RCPT TO' && command !== 'DATA') || responseCode < 500) return undefined
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  if (enhanced === undefined)
    return command === 'RCPT TO' && NO_MAILBOX.test(response) ? 'hard' : undefined
  if (HARD.test(enhanced)) return 'hard'
  return SOFT.test(enhanced) ? 'soft' : undefined
}
