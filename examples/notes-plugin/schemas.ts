// What goes over the wire, and the settings: each type is made from its schema.
import { type Static, Type } from '@keelson/sdk'

export const configSchema = Type.Object(
  {
    keepDays: Type.Integer({
      minimum: 1,
      default: 90,
      description: 'Days until a note is removed.'
    }),
    webhookUrl: Type.Optional(
      Type.String({
        pattern: '^https?://',
        form: 'an address that begins with https://',
        secret: true,
        description: 'New notes are posted to this address.'
      })
    )
  },
  { additionalProperties: false }
)
export type NotesConfig = Static<typeof configSchema>

export const newNoteSchema = Type.Object({ text: Type.String({ maxLength: 1000 }) })

export const noteSchema = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  text: Type.String(),
  createdAt: Type.String({ format: 'date-time' })
})
export type Note = Static<typeof noteSchema>

export const notesSchema = Type.Object({
  items: Type.Array(noteSchema),
  /** Whether the notes of all tenants are listed. */
  allTenants: Type.Boolean()
})
export type NotesAnswer = Static<typeof notesSchema>
