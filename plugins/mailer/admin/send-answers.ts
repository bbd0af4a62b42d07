// What the operations of sends answer, written for their readers.
import { Type } from '@keelson/sdk'
import { rowNamesSchema } from '../ledger/names.ts'
import { SEND_STATUSES } from '../ledger/send-status.ts'
import { BOUNCE_CLASSES } from '../providers/bounces/judge-bounce.ts'
import { time } from './admin-operation.ts'

const optional = Type.Optional
const text = Type.String()
const count = Type.Integer()

/** Where a mail is. */
export const sendStatusSchema = Type.Enum([...SEND_STATUSES])

/** Whether a mail needs consent. */
export const mailKindSchema = Type.Enum(['marketing', 'transactional'])

/** Why a mail waits. */
export const holdSchema = Type.Object(
  { cause: text, message: text, since: time },
  { title: 'SendHold' }
)

/** Of a mail that waits for its provider. */
export const providerWait = {
  waitingFor: optional(
    Type.Literal('provider', { description: 'The provider takes no mail; no try is counted.' })
  ),
  waiting: optional(Type.Object({ provider: text, since: time }, { title: 'ProviderWait' }))
}

/** Reactions that count. */
export const byPeople = {
  humanOpenedAt: optional(time),
  humanClickedAt: optional(time)
}

const head = {
  _id: text,
  status: sendStatusSchema,
  kind: mailKindSchema,
  category: optional(text),
  externalId: text,
  emailAtSend: Type.Union([text, Type.Null()], { description: 'null until it is known.' }),
  templateSlug: Type.String({
    description: 'Empty for a mail to the people who run the platform.'
  }),
  templateVersion: optional(count),
  names: optional(rowNamesSchema),
  subject: optional(text),
  flowSlug: optional(text),
  broadcastSlug: optional(text),
  campaign: optional(
    Type.Object(
      { kind: text, slug: text },
      { title: 'SendCampaign', description: 'Of another plugin, as a program.' }
    )
  ),
  manualSendBy: optional(text),
  provider: optional(text),
  queuedAt: time,
  handedAt: optional(time),
  sentAt: optional(time),
  deliveredAt: optional(time),
  openedAt: optional(time),
  openCount: optional(count),
  firstClickAt: optional(time),
  clickCount: optional(count),
  ...byPeople,
  bouncedAt: optional(time),
  bounceType: optional(Type.Enum(['hard', 'soft'])),
  bounceReason: optional(text),
  bounceClass: optional(Type.Enum([...BOUNCE_CLASSES])),
  complainedAt: optional(time),
  droppedAt: optional(time),
  unsubscribedAt: optional(time),
  exitReason: optional(text),
  errorMessage: optional(text),
  hold: optional(holdSchema),
  ...providerWait
}

/** A mail in a list. */
export const sendLineSchema = Type.Object(head, { title: 'SendLine' })

/** What became of one recipient. */
export const recipientSchema = Type.Object(
  {
    _id: Type.String({ description: 'Of the mail.' }),
    externalId: text,
    emailAtSend: Type.Union([text, Type.Null()]),
    templateSlug: text,
    arm: optional(
      Type.String({ description: 'Of a split test: the name of the variant; empty without one.' })
    ),
    status: sendStatusSchema,
    queuedAt: time,
    sentAt: optional(time),
    deliveredAt: optional(time),
    openedAt: optional(time),
    firstClickAt: optional(time),
    ...byPeople,
    bouncedAt: optional(time),
    complainedAt: optional(time),
    unsubscribedAt: optional(time),
    exitReason: optional(text),
    errorMessage: optional(text),
    hold: optional(holdSchema),
    ...providerWait
  },
  { title: 'BroadcastRecipient' }
)

const visit = { userAgent: optional(text), ip: optional(text) }
const machine = optional(
  Type.Array(text, { description: 'Why it counts as made by a machine; left out for a person.' })
)

const reactions = {
  opens: optional(Type.Array(Type.Object({ openedAt: time, ...visit, machine }))),
  clickedLinks: optional(
    Type.Array(Type.Object({ url: text, linkId: text, clickedAt: time, ...visit, machine }))
  )
}

/** A mail of a contact, with what became of it. */
export const contactSendSchema = Type.Object(
  {
    ...head,
    ...reactions,
    dueAt: optional(time)
  },
  { title: 'ContactSend' }
)

/** A mail. */
export const sendSchema = Type.Object(
  {
    ...head,
    ...reactions,
    dedupeKey: text,
    flowRunId: optional(text),
    providerOverride: optional(text),
    providerMessageId: optional(text),
    from: optional(Type.Object({ name: text, email: text })),
    links: optional(Type.Array(Type.Object({ linkId: text, url: text }))),
    event: optional(Type.Object({ name: text })),
    operatorMail: optional(Type.Object({ to: text, subject: text, text })),
    attachments: optional(
      Type.Array(Type.Object({ filename: text, contentType: text }), {
        description: 'Left out once the provider has the mail.'
      })
    ),
    attempt: optional(Type.Object({ number: count, at: time, provider: text, messageId: text })),
    honeypotVisits: optional(Type.Array(Type.Object({ at: time, userAgent: optional(text) })))
  },
  { title: 'Send' }
)

/** A mail with what its provider reported. */
export const sendDetailSchema = Type.Object(
  {
    send: sendSchema,
    webhookEvents: Type.Array(
      Type.Object(
        {
          provider: text,
          providerEventId: text,
          type: text,
          occurredAt: time,
          receivedAt: time,
          processed: Type.Boolean(),
          otherAddress: optional(
            Type.String({
              description:
                'The address that it names, when that is not the address that was mailed: nothing follows for it.'
            })
          ),
          details: Type.Unknown({ description: 'As the provider reported it.' })
        },
        { title: 'ProviderEvent' }
      )
    ),
    journeyHref: optional(Type.String({ description: 'The page that shows the person.' }))
  },
  { title: 'SendDetail' }
)

/** A mail as it would be rendered today. */
export const renderedSchema = Type.Object(
  {
    subject: text,
    html: Type.Union([text, Type.Null()], { description: 'null: the mail is a text.' }),
    text
  },
  { title: 'RenderedSend' }
)
