// Events of Resend: one per request, named by the id of the request.
import type {
  ProviderEvent,
  ProviderEventType,
  WebhookHeaders
} from '../../contracts/mailer-provider.ts'
import { id, items, members, text, time } from '../vendor-json.ts'
import { webhookId } from '../webhooks/standard-webhooks.ts'
import { readEach, replyCodes, type VendorEvent } from '../webhooks/vendor-events.ts'

const TYPES: ReadonlyMap<unknown, ProviderEventType> = new Map([
  ['email.delivered', 'delivered'],
  ['email.opened', 'open'],
  ['email.clicked', 'click'],
  ['email.bounced', 'bounce'],
  ['email.delivery_delayed', 'deferred'],
  ['email.complained', 'spam_report'],
  ['email.failed', 'dropped'],
  ['email.suppressed', 'dropped']
])
/** Bounces that Resend made itself, because of an earlier one: nothing was sent. */
const OWN_BOUNCE = /suppress/i

/** The event of a request; empty when it is of no interest. */
export function readResendEvents(
  payload: unknown,
  headers: WebhookHeaders
): readonly ProviderEvent[] {
  return readEach([payload], (event): VendorEvent => {
    const data = members(event['data'])
    const bounce = members(data['bounce'])
    const click = members(data['click'])
    const type = TYPES.get(event['type'])
    const isOwn = type === 'bounce' && OWN_BOUNCE.test(text(bounce['subType']) ?? '')
    const reason =
      text(bounce['message']) ??
      text(members(data['failed'])['reason']) ??
      text(members(data['suppressed'])['message'])
    const isHard = bounce['type'] === 'Permanent'
    return {
      type: isOwn ? 'dropped' : type,
      providerEventId: webhookId(headers),
      providerMessageId: id(data['email_id']),
      email: Array.isArray(data['to']) ? data['to'][0] : data['to'],
      occurredAt: time(event['created_at']),
      details: {
        bounceType: type === 'bounce' && !isOwn ? (isHard ? 'hard' : 'soft') : undefined,
        reason,
        ...replyCodes(reason),
        kind: text(bounce['subType']),
        userAgent: text(click['userAgent']) ?? text(members(data['open'])['userAgent']),
        ip: text(click['ipAddress']) ?? text(members(data['open'])['ipAddress']),
        url: text(click['link']),
        sendId: id(tagsOf(data['tags'])['sendId'])
      }
    }
  })
}

/** An object, or a list of names and values as in the call. */
function tagsOf(tags: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(tags)) return members(tags)
  return Object.fromEntries(
    items(tags).map((tag) => [String(members(tag)['name']), members(tag)['value']])
  )
}
