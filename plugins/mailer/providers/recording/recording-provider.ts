// Providers that deliver nothing: one keeps what it got, for tests; one drops it, for sandboxes.
import type {
  MailProvider,
  ProviderMessage,
  ProviderSend
} from '../../contracts/mailer-provider.ts'
import { faultOfMessage } from '../message-faults.ts'

/** What a provider without a vendor may be given. */
export interface LocalProviderOptions {
  /** Default: `recording` or `null`. */
  readonly name?: string
  /** Mails a second. Default: the mailer's. */
  readonly sendRatePerSecond?: number
}

/** A provider that keeps what it got. */
export interface RecordingProvider extends MailProvider {
  /** The mails it took, oldest first. */
  readonly sent: ProviderMessage[]
  /** The same with the Message-ID and the idempotency key of each. */
  readonly records: {
    readonly message: ProviderMessage
    readonly messageId: string
    readonly idempotencyKey: string
  }[]
  /** Forgets them. */
  reset(): void
}

/** A provider for tests: it accepts every mail that a vendor could take, and keeps it. Its webhooks are never genuine. */
export function createRecordingProvider(options: LocalProviderOptions = {}): RecordingProvider {
  const sent: ProviderMessage[] = []
  const records: RecordingProvider['records'] = []
  const keep = (message: ProviderMessage, { messageId, idempotencyKey }: ProviderSend) => {
    sent.push(message)
    records.push({ message, messageId, idempotencyKey })
  }
  return {
    ...localProvider({ name: 'recording', ...options }, keep),
    sent,
    records,
    reset() {
      sent.length = 0
      records.length = 0
    }
  }
}

/** A provider that accepts mail and drops it. */
export function createNullProvider(options: LocalProviderOptions = {}): MailProvider {
  return localProvider({ name: 'null', ...options }, () => {})
}

function localProvider(
  options: LocalProviderOptions & { readonly name: string },
  take: (message: ProviderMessage, send: ProviderSend) => void
): MailProvider {
  return {
    ...options,
    async send(message, send) {
      const fault = faultOfMessage(message, send)
      if (fault !== undefined) return { status: 'rejected', reason: fault }
      take(message, send)
      return { status: 'accepted', providerId: send.messageId }
    },
    verifyWebhook: () => false,
    parseWebhookEvents: () => []
  }
}
