// mailer.provider/v1: a way to hand mail over, and to read what became of it.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  optionalFunctions,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** A file that travels with a mail. */
export interface MailAttachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
  /** Set for an image that the HTML shows as `cid:<contentId>`. */
  readonly contentId?: string
}

/** A mail, complete: nothing in it is to be changed. */
export interface ProviderMessage {
  /** One address. */
  readonly to: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo?: string
  readonly subject: string
  /** Left out for `text_only` templates. */
  readonly html?: string
  readonly text: string
  /** List-Unsubscribe and the like. Names and values have no line breaks. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Must come back with webhook events where the vendor can do that. `sendId` is always there; the
   * vendor's own open and click tracking must be off.
   */
  readonly messageMeta?: Readonly<Record<string, string>>
  readonly attachments?: readonly MailAttachment[]
}

/** What a provider gets beside the message. */
export interface ProviderSend {
  /** The Message-ID the mail should carry, angle brackets included. */
  readonly messageId: string
  /** The same for every try of one mail; use it when `capabilities.idempotencyKeys` is set. */
  readonly idempotencyKey: string
  /** Aborted after 30 s, or when the host closes. */
  readonly signal: AbortSignal
}

/**
 * What a refusal means. `mailbox`: it does not exist or is closed; only this suppresses the address at once.
 * `mailbox_full`; `auto_reply`: a machine answered, the mail was delivered; `block`: the receiver does not
 * trust our address or domain; `policy`: a rule of the receiver, as authentication or a rate; `content`: the
 * message itself; `routing`: it did not get there; `unknown`: neither server nor vendor says why.
 */
export type BounceClass =
  | 'mailbox'
  | 'mailbox_full'
  | 'auto_reply'
  | 'block'
  | 'policy'
  | 'content'
  | 'routing'
  | 'unknown'

/**
 * What became of a hand-over. `accepted`: the provider has it. `rejected`: it refused for good, as an
 * invalid address; not tried again. `unknown`: it may or may not have it, as after a time-out behind the
 * last byte; the mail is listed and not sent again by itself unless the provider deduplicates.
 */
export type ProviderResult =
  | {
      readonly status: 'accepted'
      /** The vendor's id of the message. */
      readonly providerId: string
      readonly raw?: unknown
    }
  | {
      readonly status: 'rejected'
      readonly reason: string
      /**
       * Set when the recipient's mailbox was refused: a hard bounce suppresses the address. Left out for a
       * refusal of sender, content or authentication.
       */
      readonly bounce?: 'hard' | 'soft'
      /** Why, where the provider knows it. */
      readonly bounceClass?: BounceClass
      /** The vendor's id, when it gave one. */
      readonly providerId?: string
      readonly raw?: unknown
    }
  | {
      readonly status: 'unknown'
      readonly reason: string
      /** Other mails would fare alike: they wait, and one probes whether the provider is back. */
      readonly isDown?: boolean
      readonly raw?: unknown
    }

/** What a webhook event says. */
export type ProviderEventType =
  | 'delivered'
  | 'open'
  | 'click'
  | 'bounce'
  | 'dropped'
  | 'deferred'
  | 'spam_report'
  | 'unsubscribe'

/** One webhook event, normalized. */
export interface ProviderEvent {
  readonly type: ProviderEventType
  /** Unique per provider: the same id is the same event. */
  readonly providerEventId: string
  /** As `providerId` of the result, any routing suffix cut off; null when the vendor does not say. */
  readonly providerMessageId: string | null
  readonly email: string
  readonly occurredAt: Date
  readonly details: {
    /** Required for `bounce`: the vendor's word. What follows depends on the class. */
    readonly bounceType?: 'hard' | 'soft'
    /**
     * What a bounce means. Left out: the mailer judges by `enhancedCode`, then by `code` and `reason`, then by
     * `bounceType`. Only `mailbox` suppresses the address at once.
     */
    readonly class?: BounceClass
    /** The vendor's words. Of `dropped`, why: an address unsubscribed there is no hard bounce. */
    readonly reason?: string
    /** SMTP reply code, as 550. */
    readonly code?: number
    /** Enhanced status code, as `5.1.1`. */
    readonly enhancedCode?: string
    /** Of opens and clicks. */
    readonly userAgent?: string
    readonly ip?: string
    /** Of opens: the vendor says that a machine made it. */
    readonly machineOpen?: boolean
    /** Of clicks. */
    readonly url?: string
    /** `messageMeta.sendId`, when it came back. */
    readonly sendId?: string
    readonly [detail: string]: unknown
  }
}

/** What a signature covers in place of the body, and until when it is taken. */
export interface WebhookToken {
  readonly token: string
  readonly until: Date
}

/** Headers of a webhook request; names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A mail whose outcome is unknown. */
export interface LookUp {
  readonly messageId: string
  readonly idempotencyKey: string
  readonly to: string
  /** When it was handed over. */
  readonly attemptedAt: Date
  readonly signal: AbortSignal
}

/** What a provider can do beyond sending. */
export interface ProviderCapabilities {
  /**
   * The vendor drops a second message with the same key. Mail whose outcome is unknown is then sent again
   * by itself, within `idempotencyHours`. Default false.
   */
  readonly idempotencyKeys?: boolean
  /** How long the vendor remembers a key. Default 24. */
  readonly idempotencyHours?: number
  /** It takes attachments. Default true. */
  readonly attachments?: boolean
}

/** A way to hand mail over. Make it once: it may keep connections. */
export interface MailProvider {
  /** Its name in settings, templates and the webhook address `/m/webhooks/<name>`. */
  readonly name: string
  /** Mails a second over all processes. Default: the mailer's `sendRatePerSecond` (10). */
  readonly sendRatePerSecond?: number
  /** Hand-overs at the same time in one process. Default: the mailer's `sendConcurrency` (5). */
  readonly concurrency?: number
  readonly capabilities?: ProviderCapabilities
  /**
   * Hands one mail over. A throw means that the provider does not have it; answer `unknown` where you cannot
   * tell. A throw with `fault: 'provider'`, or with a code such as `ECONNREFUSED`, says that no mail would be
   * taken: all wait without a try being counted, and one at a time probes. Any other throw is about this mail:
   * it is tried again with growing pauses, `sendRetryAttempts` times. `retryAfterSeconds` on the error is kept to.
   */
  send(message: ProviderMessage, context: ProviderSend): Promise<ProviderResult>
  /**
   * Whether a webhook request is the vendor's: signature first, in constant time, then freshness. False
   * without a key. A throw counts as false.
   */
  verifyWebhook(rawBody: Buffer, headers: WebhookHeaders): boolean | Promise<boolean>
  /**
   * For a vendor whose signature does not cover the body. Called for a verified request: the mailer takes the
   * first body that comes with a token, and refuses others until its time is over.
   */
  webhookToken?(rawBody: Buffer, headers: WebhookHeaders): WebhookToken | undefined
  /**
   * The events of a verified request. Leave out what is of no interest; one event that cannot be read must
   * not lose its neighbours. A throw parks the request whole.
   */
  parseWebhookEvents(
    payload: unknown,
    headers: WebhookHeaders
  ): readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>
  /**
   * Answers the vendor's question whether an address is really ours (Amazon SNS). Called for a verified
   * request before its events are read; true when the request was such a question and is dealt with.
   */
  confirmWebhook?(payload: unknown, headers: WebhookHeaders): Promise<boolean>
  /**
   * Asks the vendor for a mail whose outcome is unknown. `absent` only when the vendor would know it by
   * now. A throw is tried again later.
   */
  lookUp?(mail: LookUp): Promise<ProviderResult | { readonly status: 'absent' }>
  /** Called when the host closes. A mail handed over later is taken: hosts may share one provider. */
  close?(): Promise<void>
}

/** Owned by the mailer. A name that is taken is refused at start, naming both plugins. */
export const mailerProvider: ExtensionPoint<MailProvider> = defineExtensionPoint<MailProvider>(
  'mailer.provider/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
    sendRatePerSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
    capabilities: Type.Optional(
      Type.Object(
        {
          idempotencyKeys: Type.Optional(Type.Boolean()),
          idempotencyHours: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          attachments: Type.Optional(Type.Boolean())
        },
        { additionalProperties: false }
      )
    ),
    ...requiredFunctions('send', 'verifyWebhook', 'parseWebhookEvents'),
    ...optionalFunctions('webhookToken', 'confirmWebhook', 'lookUp', 'close')
  })
)
