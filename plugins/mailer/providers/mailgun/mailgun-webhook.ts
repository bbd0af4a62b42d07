// Webhooks of Mailgun: an HMAC over time and token inside the body, and one event per request.
import { createHmac } from 'node:crypto'
import type {
  BounceClass,
  ProviderEvent,
  ProviderEventType,
  WebhookToken
} from '../../contracts/mailer-provider.ts'
import { judgedDetails, serverWords } from '../bounces/bounce-details.ts'
import { id, members, parsed, text, unixTime } from '../vendor-json.ts'
import { isFresh, isSame, secondsOf } from '../webhooks/signatures.ts'
import { readEach, replyCodes, type VendorEvent } from '../webhooks/vendor-events.ts'

/** How long a token is remembered where its time does not matter: as long as its event. */
const KEPT_SECONDS = 90 * 86_400

interface Signed {
  readonly timestamp: string
  readonly token: string
  readonly mac: string
}

function signedPart(rawBody: Buffer): Signed | undefined {
  const said = members(members(parsed(rawBody))['signature'])
  const [timestamp, token, mac] = [said['timestamp'], said['token'], said['signature']].map(text)
  if (timestamp === undefined || token === undefined || mac === undefined) return undefined
  return { timestamp, token, mac }
}

/** What the freshness of a request depends on. */
export interface Freshness {
  readonly now: Date
  readonly toleranceSeconds: number
}

/** The signature covers its time and token, not the event: that is all Mailgun offers. See `tokenOf`. */
export function isFromMailgun(
  signingKey: string,
  rawBody: Buffer,
  { now, toleranceSeconds }: Freshness
): boolean {
  const signed = signedPart(rawBody)
  if (signed === undefined) return false
  const { timestamp, token, mac } = signed
  const expected = createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest('hex')
  return isSame(mac, expected) && isFresh(secondsOf(timestamp), now, toleranceSeconds)
}

/** Time and token as they are signed, in one text: where one ends and the other begins is not covered. */
export function tokenOf(
  rawBody: Buffer,
  { now, toleranceSeconds }: Freshness
): WebhookToken | undefined {
  const signed = signedPart(rawBody)
  if (signed === undefined) return undefined
  const { timestamp, token } = signed
  const seconds = toleranceSeconds === 0 ? KEPT_SECONDS : toleranceSeconds
  const at = Math.max(secondsOf(timestamp) || 0, now.getTime())
  return { token: timestamp + token, until: new Date(at + seconds * 1000) }
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

/** Codes beyond SMTP are Mailgun's own. */
const replyCode = (code: number | undefined): number | undefined =>
  code !== undefined && code >= 200 && code < 600 ? code : undefined

function vendorClass(reason: unknown, code: number | undefined): BounceClass {
  if (reason === 'espblock') return 'block'
  // Mailgun gave up after many tries that could have succeeded.
  if (reason === 'old') return 'routing'
  return code !== undefined && code >= 500 && code < 600 ? 'mailbox' : 'unknown'
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
    const enhancedCode = text(status['enhanced-code']) ?? replyCodes(status['message']).enhancedCode
    const facts = {
      code: replyCode(code),
      enhancedCode,
      vendor: vendorClass(event['reason'], code)
    }
    const said = serverWords(status['message'], status['description'])
    return {
      type,
      providerEventId: id(event['id']),
      providerMessageId: id(members(members(event['message'])['headers'])['message-id']),
      email: event['recipient'],
      occurredAt: unixTime(event['timestamp']),
      details: {
        ...(type === 'bounce' && judgedDetails(said, facts)),
        reason: said.isReadable ? text(reason) : said.words,
        code: replyCode(code),
        enhancedCode,
        userAgent: text(members(event['client-info'])['user-agent']),
        ip: text(event['ip']),
        url: text(event['url']),
        sendId: id(members(event['user-variables'])['sendId'])
      }
    }
  })
}
