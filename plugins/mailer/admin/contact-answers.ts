// What the operations of contacts answer, written for their readers.
import { Type } from '@keelson/sdk'
import { CONTACT_STATES } from '../audience/contacts/contact-states.ts'
import { CONSENT_ACTS } from '../ledger/contact-rows.ts'
import { namesBySlugSchema } from '../ledger/names.ts'
import { runHold, time } from './admin-operation.ts'
import { leftOutSchema } from './broadcast-answers.ts'
import { notEnteredReasonSchema } from './flow-answers.ts'
import { contactSendSchema } from './send-answers.ts'

const optional = Type.Optional
const text = Type.String()
const free = Type.Record(text, Type.Unknown())

/** A contact as the host knows it, with its tags. */
export const contactSchema = Type.Object(
  {
    externalId: text,
    email: text,
    tags: Type.Array(text),
    fields: free,
    timezone: optional(text),
    locale: optional(text)
  },
  { title: 'Contact' }
)

/** Whether a contact gets marketing mail: only those that are `subscribed` do. */
export const contactStateSchema = Type.Enum([...CONTACT_STATES])

/** A contact in a list. */
export const contactLineSchema = Type.Object(
  { ...contactSchema.properties, state: contactStateSchema, subscribedAt: optional(time) },
  { title: 'ContactLine' }
)

/** Which contacts a list or a file has; what is set must hold. */
export const contactFilter = {
  search: optional(Type.String({ maxLength: 256 })),
  state: optional(contactStateSchema)
}

/** How many contacts there are. */
export const contactCountSchema = Type.Object({
  count: Type.Integer(),
  isExact: Type.Boolean({ description: 'Otherwise there are at most so many.' })
})

/** A page of contacts. */
export const contactsSchema = Type.Object(
  {
    contacts: Type.Array(contactLineSchema),
    nextCursor: optional(
      Type.String({ description: 'Left out on the last page. A page before it may be empty.' })
    )
  },
  { title: 'Contacts' }
)

const subscriptionSchema = Type.Object(
  {
    externalId: text,
    status: Type.Enum(['subscribed', 'pending_doi', 'unsubscribed', 'bounced', 'complained']),
    source: text,
    emailAtSubscribe: optional(text),
    consentTimestamp: optional(time),
    consentIp: optional(text),
    consentUserAgent: optional(text),
    subscribedAt: optional(time),
    unsubscribedAt: optional(time),
    unsubscribeReason: optional(text),
    doiRequestedAt: optional(time),
    doiConfirmedAt: optional(time),
    doiIp: optional(text),
    doiUserAgent: optional(text),
    firstSentAt: optional(time),
    lastEngagedAt: optional(time),
    createdAt: time,
    updatedAt: time
  },
  { title: 'Subscription' }
)

const consentStepSchema = Type.Object(
  {
    at: time,
    what: Type.Enum([...CONSENT_ACTS]),
    source: optional(text),
    reason: optional(text),
    category: optional(text),
    until: optional(time),
    consentTimestamp: optional(time),
    ip: optional(text),
    userAgent: optional(text)
  },
  { title: 'ConsentStep' }
)

const reachSchema = Type.Object(
  {
    isSent: Type.Boolean(),
    reason: optional(
      Type.String({
        description:
          '`no_address`, `not_subscribed`, a status of the subscription, a reason of a suppression, or `paused`.'
      })
    ),
    until: optional(time)
  },
  { title: 'MailReach' }
)

const policyReachSchema = Type.Object(
  {
    perDays: optional(
      Type.Object({ days: Type.Number(), count: Type.Integer(), sent: Type.Integer() })
    ),
    minGap: optional(Type.Object({ hours: Type.Number(), lastAt: optional(time) })),
    quietHours: optional(Type.Object({ start: text, end: text, timezone: text })),
    waits: optional(
      Type.Object(
        { cause: text, until: optional(time) },
        { description: 'The rule that keeps the next marketing mail, and until when.' }
      )
    )
  },
  { title: 'PolicyReach' }
)

const contactReachSchema = Type.Object(
  {
    marketing: reachSchema,
    transactional: reachSchema,
    categories: Type.Array(
      Type.Object({
        id: text,
        label: text,
        isOn: Type.Boolean(),
        steps: Type.Array(consentStepSchema)
      })
    ),
    policy: optional(policyReachSchema)
  },
  { title: 'ContactReach', description: 'What mail the contact gets now, and why not.' }
)

const figuresSchema = Type.Object(
  {
    mails: Type.Integer(),
    openedByPerson: Type.Integer(),
    clickedByPerson: Type.Integer(),
    lastActiveAt: optional(time)
  },
  { title: 'ContactFigures', description: 'The mails of the last 30 days.' }
)

const contactRunSchema = Type.Object(
  {
    _id: text,
    flowSlug: text,
    flowVersion: Type.Integer(),
    status: Type.Enum(['active', 'completed', 'exited', 'failed']),
    path: Type.String({ description: 'The next step, with the arms that lead to it.' }),
    enteredAt: time,
    waitingFor: optional(text),
    nextActionAt: optional(time),
    hold: runHold,
    exitedAt: optional(time),
    exitReason: optional(text)
  },
  { title: 'ContactRun' }
)

const notEnteredSchema = Type.Object(
  { flow: text, reason: notEnteredReasonSchema },
  { title: 'NotEntered', description: 'A flow that the event started no run of, and why.' }
)

/** A contact with what happened lately, the newest first. */
export const contactDetailSchema = Type.Object(
  {
    contact: contactSchema,
    subscription: Type.Union([subscriptionSchema, Type.Null()]),
    recentEvents: Type.Array(
      Type.Object(
        {
          _id: text,
          name: text,
          properties: free,
          occurredAt: time,
          notEntered: optional(Type.Array(notEnteredSchema))
        },
        { title: 'ContactEvent' }
      )
    ),
    recentSends: Type.Array(contactSendSchema),
    names: optional(namesBySlugSchema),
    activeRuns: Type.Array(contactRunSchema),
    endedRuns: Type.Array(contactRunSchema),
    recentLeftOut: Type.Array(
      Type.Object(
        {
          ...leftOutSchema.properties,
          broadcast: optional(
            Type.String({ description: 'The slug of the broadcast; left out when it is deleted.' })
          )
        },
        { title: 'ContactLeftOut' }
      ),
      { description: 'Broadcasts that sent the contact no mail, and why.' }
    ),
    recentNotEntered: Type.Array(
      Type.Object({ flow: text, reason: notEnteredReasonSchema, at: time }, { title: 'NotTaken' }),
      { description: 'Flows whose trigger by segment or time did not take the contact, and why.' }
    ),
    figures: figuresSchema,
    reach: contactReachSchema,
    consent: Type.Array(consentStepSchema, {
      description: 'What happened to its consent, oldest first.'
    }),
    planned: Type.Array(contactSendSchema, { description: 'Mails that have not left.' }),
    journeyHref: optional(Type.String({ description: 'The page that shows the person.' }))
  },
  { title: 'ContactDetail' }
)

/** All that is stored of a contact: its right to data covers what no other answer has. */
export const contactExportSchema = Type.Record(text, Type.Unknown(), { title: 'ContactExport' })
