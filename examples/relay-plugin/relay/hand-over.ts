// Hands one mail to the vendor, and says what became of it.
import type { MailProvider, ProviderMessage, ProviderResult } from '@keelson/mailer/contracts'
import { fitsSchema, type Host } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { answerSchema, type RelayAnswer, type RelayConfig } from '../schemas.ts'

/** With these codes no byte of the request left: the vendor cannot have the mail. */
const NEVER_LEFT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT'
])

/**
 * A throw says that the vendor does not have the mail, and it is tried again. `unknown` says that it may have it:
 * because the vendor drops repeated keys, the mailer may hand it over again.
 */
export function handOver(host: Pick<Host, 'fetch'>, config: RelayConfig): MailProvider['send'] {
  return async (message, { idempotencyKey, messageId, signal }) => {
    const sent = await host
      .fetch(`${config.apiUrl}/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${config.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey
        },
        body: JSON.stringify(bodyOf(message, messageId)),
        signal
      })
      .catch((error: unknown) => {
        if (hasNeverLeft(error)) throw notTaken('it cannot be reached', error)
        return undefined
      })
    if (sent === undefined) return lost('The relay did not answer.')
    const answer: unknown = await sent.json().catch(() => undefined)
    return resultOf(sent.status, fitsSchema(answerSchema, answer) ? (answer as RelayAnswer) : {})
  }
}

function bodyOf(message: ProviderMessage, messageId: string): object {
  const { to, fromName, fromEmail, replyTo, subject, html, text, headers, messageMeta } = message
  const files = (message.attachments ?? []).map(({ content, ...file }) => ({
    ...file,
    content: content.toString('base64')
  }))
  return {
    to,
    from: { name: fromName, email: fromEmail },
    replyTo,
    subject,
    html,
    text,
    headers: { ...headers, 'Message-ID': messageId },
    // Comes back with each event.
    meta: messageMeta,
    attachments: files
  }
}

/** A refusal of one mail is final; one of the key, of the rate or of the server holds all mail. */
function resultOf(status: number, { id, reason, mailboxClosed }: RelayAnswer): ProviderResult {
  if (status >= 200 && status < 300) {
    return id === undefined
      ? lost('An answer without an id.')
      : { status: 'accepted', providerId: id }
  }
  const words = reason ?? `HTTP ${status}`
  if (status === 400 || status === 422) {
    const bounce =
      mailboxClosed === true ? ({ bounce: 'hard', bounceClass: 'mailbox' } as const) : {}
    return { status: 'rejected', reason: words, ...bounce }
  }
  if (status >= 500) return lost(words)
  throw notTaken(words)
}

const lost = (reason: string): ProviderResult => ({ status: 'unknown', reason, isDown: true })

/** `fault` says that any other mail would fare alike: all wait, and one at a time probes. */
const notTaken = (reason: string, cause?: unknown): Error =>
  Object.assign(errors.RELA_NOT_TAKEN({ reason, cause }), { fault: 'provider' })

function hasNeverLeft(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && NEVER_LEFT.has(at.code)) return true
  }
  return false
}
