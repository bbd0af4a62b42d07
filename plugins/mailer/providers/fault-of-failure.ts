// Whose fault a failed hand-over is: the provider's, then every mail waits for it, or the mail's. Pure.
import { codesOf } from './error-codes.ts'

/** `provider`: no mail would have been taken. `mail`: another mail may be. */
export type Fault = 'provider' | 'mail'

/** No connection, or none that may be used. */
const UNREACHABLE =
  /^(E(CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|TIMEDOUT|AI_\w+|NOTFOUND|DNS|TLS|AUTH|NOAUTH|OAUTH2|PROTO)|ENOTFOUND|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ERR_(TLS|SSL)_\w+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/

/** Refusals that name a sender are about the mails of that sender. */
const NAMES_SENDER =
  /\b(sender|from|identity|identities)\b|\bdomain\b.*\bverif|\bverif.*\bdomain\b/i

/** Statuses below 500 that are about keys, permissions, addresses and limits of the account. */
const ABOUT_THE_ACCOUNT = [401, 402, 403, 404, 405, 407, 408, 421, 423, 429]

/** The fault of an answer of an API that did not take the mail. */
export function faultOfAnswer(status: number, words = '', isAboutAccount = false): Fault {
  if (status === 401 || status === 429 || status >= 500 || status < 400) return 'provider'
  if (NAMES_SENDER.test(words)) return 'mail'
  return isAboutAccount || ABOUT_THE_ACCOUNT.includes(status) ? 'provider' : 'mail'
}

/** What is known about an SMTP dialogue that failed. */
export interface FailedDialogue {
  readonly code?: string | undefined
  readonly responseCode?: number | undefined
  /** The last command, as `RCPT TO`. */
  readonly command?: string | undefined
}

const OF_THE_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA']
/** Bad sequence, TLS or authentication required or failed. */
const ACCOUNT_REPLIES = [503, 530, 534, 535, 538]

/**
 * The fault of a dialogue. A connection that a server ends while it has a mail may be ended because of that
 * mail; one that cannot be opened never is.
 */
export function faultOfDialogue(failure: FailedDialogue, isConnected: boolean): Fault {
  const { code = '', responseCode = 0, command = '' } = failure
  if (!isConnected || responseCode === 421 || ACCOUNT_REPLIES.includes(responseCode))
    return 'provider'
  if (responseCode >= 400) return OF_THE_MAIL.includes(command) ? 'mail' : 'provider'
  return /^E(TIMEDOUT|AUTH|TLS|DNS)$/.test(code) ? 'provider' : 'mail'
}

/**
 * The fault of what a provider threw: what it says itself (`fault`), else what its codes say. Anything else
 * is the mail's, so that one mail which breaks a provider does not stop the others.
 */
export function faultOfFailure(error: unknown): Fault {
  const said = (error ?? {}) as {
    readonly fault?: unknown
    readonly responseCode?: unknown
    readonly statusCode?: unknown
  }
  if (said.fault === 'provider' || said.fault === 'mail') return said.fault
  if (codesOf(error).some((code) => UNREACHABLE.test(code))) return 'provider'
  if (typeof said.responseCode === 'number')
    return faultOfDialogue({ command: 'DATA', responseCode: said.responseCode }, true)
  if (typeof said.statusCode === 'number')
    return faultOfAnswer(said.statusCode, error instanceof Error ? error.message : '')
  return 'mail'
}
