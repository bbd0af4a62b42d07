// Webhooks of SendGrid: a signature by its key over timestamp and body, and events in batches.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type {
  ProviderEvent,
  ProviderEventType,
  WebhookHeaders
} from '../../contracts/mailer-provider.ts'
import { id, text, unixTime } from '../vendor-json.ts'
import { isFresh, onlyHeader, secondsOf } from '../webhooks/signatures.ts'
import { readEach, replyCodes, type VendorEvent } from '../webhooks/vendor-events.ts'

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp'

/** PEM, PEM with `\n` written out, or the bare base64 that SendGrid shows. @throws Error for any other text. */
export function readVerificationKey(key: string): KeyObject {
  const pem = key.replaceAll('\\n', '\n').trim()
  const public_ = pem.startsWith('-----BEGIN')
    ? createPublicKey(pem)
    : createPublicKey({ key: Buffer.from(pem, 'base64'), format: 'der', type: 'spki' })
  if (public_.asymmetricKeyType !== 'ec') throw new TypeError('an ECDSA key is expected')
  return public_
}

/** ECDSA with SHA-256 over the timestamp and the body as they came. */
export function isGenuine(
  key: KeyObject,
  request: { readonly rawBody: Buffer; readonly headers: WebhookHeaders },
  { now, toleranceSeconds }: { readonly now: Date; readonly toleranceSeconds: number }
): boolean {
  const signature = onlyHeader(request.headers, SIGNATURE)
  const timestamp = onlyHeader(request.headers, TIMESTAMP)
  if (signature === undefined || timestamp === undefined) return false
  const signed = Buffer.concat([Buffer.from(timestamp), request.rawBody])
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) return false
  return isFresh(secondsOf(timestamp), now, toleranceSeconds)
}

/** What follows the id names the servers that the mail went through. */
function withoutRouting(messageId: string | undefined): string | undefined {
  const at = messageId?.search(/\.(filter|recv|ismtpd)/) ?? -1
  return at < 0 ? messageId?.split('.')[0] : messageId?.slice(0, at)
}

const TYPES: ReadonlyMap<unknown, ProviderEventType> = new Map([
  ['delivered', 'delivered'],
  ['open', 'open'],
  ['click', 'click'],
  ['bounce', 'bounce'],
  ['dropped', 'dropped'],
  ['deferred', 'deferred'],
  ['spamreport', 'spam_report'],
  ['unsubscribe', 'unsubscribe'],
  ['group_unsubscribe', 'unsubscribe']
])

/** The events of a batch; `processed` and the like are left out. */
export function readSendGridEvents(payload: unknown): readonly ProviderEvent[] {
  return readEach(payload, (event): VendorEvent => {
    const type = TYPES.get(event['event'])
    const reason = text(event['reason']) ?? text(event['response'])
    const codes = replyCodes(reason)
    return {
      type,
      providerEventId: id(event['sg_event_id']),
      providerMessageId: withoutRouting(id(event['sg_message_id'])),
      email: event['email'],
      occurredAt: unixTime(event['timestamp']),
      details: {
        // `blocked` is a refusal that may pass: a full mailbox, a server that is down, a reputation.
        bounceType: type === 'bounce' ? (event['type'] === 'bounce' ? 'hard' : 'soft') : undefined,
        reason,
        code: codes.code,
        enhancedCode: replyCodes(event['status']).enhancedCode ?? codes.enhancedCode,
        userAgent: text(event['useragent']),
        ip: text(event['ip']),
        url: text(event['url']),
        sendId: id(event['sendId']),
        machineOpen: event['sg_machine_open'] === true ? true : undefined
      }
    }
  })
}
