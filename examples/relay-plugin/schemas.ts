// Settings, and what the vendor sends: each type is made from its schema.
import { type Static, Type } from '@keelson/sdk'

export const configSchema = Type.Object(
  {
    apiUrl: Type.String({
      pattern: '^https?://',
      form: 'an address that begins with https://',
      default: 'https://api.relay.example',
      description: 'The API of the vendor.'
    }),
    apiKey: Type.String({ secret: true, default: '', description: 'Sent as a bearer token.' }),
    webhookKey: Type.String({
      secret: true,
      default: '',
      description: 'Signs the webhooks of the vendor. Without it none is taken.'
    })
  },
  { additionalProperties: false }
)
export type RelayConfig = Static<typeof configSchema>

/** What the vendor answers: an id, or why not. */
export const answerSchema = Type.Object({
  id: Type.Optional(Type.String({ minLength: 1 })),
  reason: Type.Optional(Type.String()),
  mailboxClosed: Type.Optional(Type.Boolean())
})
export type RelayAnswer = Static<typeof answerSchema>

/** One event of a webhook. */
export const eventSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Enum(['delivered', 'bounced', 'complained']),
  messageId: Type.String(),
  email: Type.String(),
  at: Type.String({ format: 'date-time' }),
  hard: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String())
})
export type RelayEvent = Static<typeof eventSchema>
