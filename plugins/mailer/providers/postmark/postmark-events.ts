// Events of Postmark: one per request, and kinds of bounces that mean different things.
import type { ProviderEvent, ProviderEventType } from '../../contracts/mailer-provider.ts'
import { id, members, text, time } from '../vendor-json.ts'
import { readEach, replyCodes, type VendorEvent } from '../webhooks/vendor-events.ts'

type Json = Readonly<Record<string, unknown>>
type Verdict = { readonly type: ProviderEventType; readonly bounceType?: 'hard' | 'soft' }

/** Kinds of `RecordType: Bounce`; others are soft. null: nothing that counts. */
const BOUNCES: ReadonlyMap<unknown, Verdict | null> = new Map<string, Verdict | null>([
  ['HardBounce', { type: 'bounce', bounceType: 'hard' }],
  ['BadEmailAddress', { type: 'bounce', bounceType: 'hard' }],
  ['Transient', { type: 'deferred' }],
  ['SpamComplaint', { type: 'spam_report' }],
  ['Unsubscribe', { type: 'unsubscribe' }],
  ['ManuallyDeactivated', { type: 'dropped' }],
  ['TemplateRenderingFailed', { type: 'dropped' }],
  ['AutoResponder', null],
  ['AddressChange', null],
  ['ChallengeVerification', null],
  ['Subscribe', null],
  ['OpenRelayTest', null]
])
const SOFT: Verdict = { type: 'bounce', bounceType: 'soft' }

function verdictOf(event: Json): Verdict | null {
  switch (event['RecordType']) {
    case 'Delivery':
      return { type: 'delivered' }
    case 'Open':
      return { type: 'open' }
    case 'Click':
      return { type: 'click' }
    case 'SpamComplaint':
      return { type: 'spam_report' }
    case 'Bounce':
      return BOUNCES.has(event['Type']) ? (BOUNCES.get(event['Type']) ?? null) : SOFT
    case 'SubscriptionChange': {
      // Bounces and complaints come as separate events.
      const isOptOut = event['SuppressSending'] === true
      return isOptOut && event['SuppressionReason'] === 'ManualSuppression'
        ? { type: 'unsubscribe' }
        : null
    }
    default:
      return null
  }
}

/** The event of a request; empty when it is of no interest. */
export function readPostmarkEvents(payload: unknown): readonly ProviderEvent[] {
  return readEach(
    Array.isArray(payload) ? payload : [payload],
    (event): VendorEvent | undefined => {
      const verdict = verdictOf(event)
      if (verdict === null) return undefined
      const at = ['DeliveredAt', 'BouncedAt', 'ReceivedAt', 'ChangedAt'].map((name) => event[name])
      const when = at.find((value) => typeof value === 'string')
      const messageId = id(event['MessageID'])
      const words =
        text(event['Details']) ?? text(event['Description']) ?? text(event['SuppressionReason'])
      // Only bounces and complaints have ids; the others are named by what makes them unique.
      const own = [messageId, event['Recipient'], when, event['OriginalLink']].map(String).join(':')
      const link = text(event['OriginalLink'])
      return {
        type: verdict.type,
        providerEventId: `${event['RecordType']}:${id(event['ID']) ?? own}`.slice(0, 500),
        providerMessageId: messageId,
        email: event['Recipient'] ?? event['Email'],
        occurredAt: time(when),
        details: {
          bounceType: verdict.bounceType,
          reason: words,
          ...replyCodes(words),
          kind: text(event['Type']),
          userAgent: text(event['UserAgent']),
          ip: text(members(event['Geo'])['IP']),
          url: link,
          sendId: id(members(event['Metadata'])['sendId'])
        }
      }
    }
  )
}
