// What the mailbox answers: mails as they came in.
import { type Static, Type } from '@keelson/sdk'

/** A mail. */
export const messageSchema = Type.Object({
  id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String(), { description: 'The recipients of the envelope, lower case.' }),
  subject: Type.String(),
  date: Type.String({ description: 'When it came in, ISO 8601.' }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Header fields, unfolded; names in lower case.'
  }),
  text: Type.String(),
  html: Type.String({ description: 'Empty when the mail has no HTML part.' }),
  raw: Type.String({ description: 'The mail as it came in.' })
})

/** A page of mails. */
export const messagesSchema = Type.Object({
  messages: Type.Array(messageSchema),
  total: Type.Integer({ description: 'How many there are, for this recipient when one is given.' })
})

/** What mails are asked for. */
export const messagesQuery = Type.Object({
  to: Type.Optional(Type.String({ maxLength: 320 })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 })
})

/** Which mail is asked for. */
export const messageParams = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** A mail. */
export type Message = Static<typeof messageSchema>
/** A page of mails. */
export type Messages = Static<typeof messagesSchema>
