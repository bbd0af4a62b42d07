// Events of Amazon SES inside notifications of SNS, one per recipient.
import type { ProviderEvent, ProviderEventType } from '../../contracts/mailer-provider.ts'
import { judgedDetails, serverWords } from '../bounces/bounce-details.ts'
import { id, items, members, text, time } from '../vendor-json.ts'
import { readEach, replyCodes } from '../webhooks/vendor-events.ts'
import { sesBounceClass } from './ses-bounce-class.ts'
import { innerEvent, readSnsMessage } from './sns-message.ts'

type Json = Readonly<Record<string, unknown>>

/** What an event says of one recipient. */
interface Said {
  readonly type: ProviderEventType
  readonly email: unknown
  readonly at?: unknown
  readonly details?: Readonly<Record<string, unknown>>
}

/** SES did not try, because of an earlier bounce or complaint: nothing was sent. */
const OWN_SUPPRESSION: readonly unknown[] = ['Suppressed', 'OnAccountSuppressionList']

const bounce = (event: Json): readonly Said[] => {
  const { bounceType, bounceSubType, bouncedRecipients, timestamp: at } = members(event['bounce'])
  const isOwn = OWN_SUPPRESSION.includes(bounceSubType)
  return items(bouncedRecipients).map((recipient) => {
    const { emailAddress: email, diagnosticCode, status } = members(recipient)
    const said = serverWords(diagnosticCode)
    const codes = replyCodes(said.words)
    const enhancedCode = replyCodes(status).enhancedCode ?? codes.enhancedCode
    const hasServerWords = said.words !== undefined || enhancedCode !== undefined
    const vendor = sesBounceClass(bounceType, bounceSubType, hasServerWords)
    const reason = said.words ?? text(bounceSubType)
    const details = { reason, ...codes, enhancedCode, kind: text(bounceSubType) }
    if (isOwn) return { type: 'dropped', email, at, details }
    const judged = judgedDetails(said, { ...codes, enhancedCode, vendor })
    return { type: 'bounce', email, at, details: { ...details, ...judged } }
  })
}

const complaint = (event: Json): readonly Said[] => {
  const {
    complainedRecipients,
    complaintFeedbackType,
    complaintSubType,
    timestamp: at
  } = members(event['complaint'])
  const type = OWN_SUPPRESSION.includes(complaintSubType) ? 'dropped' : 'spam_report'
  const reason = text(complaintSubType) ?? text(complaintFeedbackType)
  return items(complainedRecipients).map((recipient) => ({
    type,
    email: members(recipient)['emailAddress'],
    at,
    details: { reason }
  }))
}

const deferred = (event: Json): readonly Said[] => {
  const { delayType, delayedRecipients, timestamp: at } = members(event['deliveryDelay'])
  return items(delayedRecipients).map((recipient) => {
    const { emailAddress: email, diagnosticCode } = members(recipient)
    const reason = text(diagnosticCode) ?? text(delayType)
    return { type: 'deferred', email, at, details: { reason, ...replyCodes(diagnosticCode) } }
  })
}

/** An event whose details are about the whole mail. */
const ofMail =
  (type: ProviderEventType, member: string, details: (part: Json) => Json = () => ({})) =>
  (event: Json): readonly Said[] => {
    const part = members(event[member])
    const addresses = items(part['recipients'] ?? members(event['mail'])['destination'])
    return addresses.map((email) => ({
      type,
      email,
      at: part['timestamp'],
      details: details(part)
    }))
  }

/** SES tells of every change of preferences: joining a topic is none that ends mail. */
const subscription = (event: Json): readonly Said[] => {
  const { newTopicPreferences: after, oldTopicPreferences: before } = members(event['subscription'])
  return isLeaving(members(after), members(before)) ? LEFT(event) : []
}

/** Left all, or a topic that it had; without any preferences, what else would be told. */
function isLeaving(after: Json, before: Json): boolean {
  const topics = items(after['topicSubscriptionStatus']).map(members)
  if (after['unsubscribeAll'] === undefined && topics.length === 0) return true
  const out = items(before['topicSubscriptionStatus']).map(members).filter(isOut)
  const wasOut = new Set(out.map(({ topicName }) => topicName))
  const hasLeft = topics.some((topic) => isOut(topic) && !wasOut.has(topic['topicName']))
  return after['unsubscribeAll'] === true || hasLeft
}

const isOut = ({ subscriptionStatus }: Json): boolean => subscriptionStatus === 'OptOut'
const LEFT = ofMail('unsubscribe', 'subscription')

const reader = (part: Json) => ({
  userAgent: text(part['userAgent']),
  ip: text(part['ipAddress']),
  url: text(part['link'])
})

const READERS: ReadonlyMap<unknown, (event: Json) => readonly Said[]> = new Map([
  ['Delivery', ofMail('delivered', 'delivery')],
  ['Open', ofMail('open', 'open', reader)],
  ['Click', ofMail('click', 'click', reader)],
  ['Reject', ofMail('dropped', 'reject', (part) => ({ reason: text(part['reason']) }))],
  [
    'Rendering Failure',
    ofMail('dropped', 'failure', (part) => ({ reason: text(part['errorMessage']) }))
  ],
  ['Subscription', subscription],
  ['Bounce', bounce],
  ['Complaint', complaint],
  ['DeliveryDelay', deferred]
])

/** The events of a notification; empty for other messages. */
export function readSesEvents(payload: unknown): readonly ProviderEvent[] {
  const message = readSnsMessage(payload)
  if (message?.Type !== 'Notification') return []
  const event = members(innerEvent(message))
  const mail = members(event['mail'])
  const read = READERS.get(event['eventType'] ?? event['notificationType'])
  const said = read?.(event) ?? []
  let serial = 0
  return readEach(said, (part) => ({
    type: part['type'] as ProviderEventType,
    // A message may be about several recipients; ours has one.
    providerEventId: serial++ === 0 ? id(message.MessageId) : `${message.MessageId}:${serial}`,
    providerMessageId: id(mail['messageId']),
    email: part['email'],
    occurredAt: time(part['at']) ?? time(mail['timestamp']),
    details: { ...members(part['details']), sendId: id(items(members(mail['tags'])['sendId'])[0]) }
  }))
}
