// Webhooks of Mailgun: an HMAC over time and token inside the body, and one event per request.
import { createHmac } from 'node:crypto'
import type { ProviderEvent, ProviderEventType } from '../../contracts/mailer-provider.ts'
import { id, members, parsed, text, unixTime } from '../vendor-json.ts'
import { isFresh, isSame, secondsOf } from '../webhooks/signatures.ts'
import { readEach, replyCodes, type VendorEvent } from '../webhooks/vendor-events.ts'

/** The signature covers its time and token, not the event: that is all Mailgun offers. */
export function isFromMailgun(
  signingKey: string,
  rawBody: Buffer,
  { now, toleranceSeconds }: { readonly now: Date; readonly toleranceSeconds: number }
): boolean {
  const { signature } = members(parsed(rawBody))
  const said = members(signature)
  const [timestamp, token, mac] = [
    text(said['timestamp']),
    text(said['token']),
    text(said['signature'])
  ]
  if (timestamp === undefined || token === undefined || mac === undefined) return false
  const expected = createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest('hex')
  return isSame(mac, expected) && isFresh(secondsOf(timestamp), now, toleranceSeconds)
}

const TYPES: ReadonlyMap<unknown, ProviderEventType> = new Map([
  ['delivered', 'delivered'],
  ['opened', 'open'],
  ['clicked', 'click'],
  ['complained', 'spam_report'],
  ['unsubscribed', 'unsubscribe'],
  ['rejected', 'dropped']
])

/** A failure is a mail that Mailgun tries again, one that it did not try because of its lists, or a bounce. */
function typeOf(event: Readonly<Record<string, unknown>>): ProviderEventType | undefined {
  if (event['event'] !== 'failed') return TYPES.get(event['event'])
  if (event['severity'] !== 'permanent') return 'deferred'
  return text(event['reason'])?.startsWith('suppress-') === true ? 'dropped' : 'bounce'
}

/** The event of a request; empty when it is of no interest. */
export function readMailgunEvents(payload: unknown): readonly ProviderEvent[] {
  return readEach([members(payload)['event-data']], (event): VendorEvent => {
    const type = typeOf(event)
    const status = members(event['delivery-status'])
    const words = [
      event['reason'],
      status['description'],
      status['message'],
      members(event['reject'])['reason']
    ]
    const reason = words.flatMap((part) => text(part) ?? []).join(': ') || undefined
    const code = typeof status['code'] === 'number' ? status['code'] : undefined
    // `old`: Mailgun gave up after many tries that could have succeeded.
    const isHard = code !== undefined && code >= 500 && code < 600 && event['reason'] !== 'old'
    return {
      type,
      providerEventId: id(event['id']),
      providerMessageId: id(members(members(event['message'])['headers'])['message-id']),
      email: event['recipient'],
      occurredAt: unixTime(event['timestamp']),
      details: {
        bounceType: type === 'bounce' ? (isHard ? 'hard' : 'soft') : undefined,
        reason: text(reason),
        code: code !== undefined && code >= 200 && code < 600 ? code : undefined,
        enhancedCode: text(status['enhanced-code']) ?? replyCodes(status['message']).enhancedCode,
        userAgent: text(members(event['client-info'])['user-agent']),
        ip: text(event['ip']),
        url: text(event['url']),
        sendId: id(members(event['user-variables'])['sendId'])
      }
    }
  })
}
