// What goes over the wire, and the settings: each type is made from its schema.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

export const configSchema = Type.Object(
  {
    words: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      default: ['act now', 'free money'],
      maxItems: 200,
      description: 'Mail that contains one of them is held.'
    }),
    adminTenants
  },
  { additionalProperties: false }
)
export type WordsConfig = Static<typeof configSchema>

export const daySchema = Type.Object({
  day: Type.String({ format: 'date' }),
  word: Type.String(),
  held: Type.Integer()
})
/** How many mails a word held on a day. */
export type Day = Static<typeof daySchema>

export const statusSchema = Type.Object({
  words: Type.Array(Type.String()),
  days: Type.Array(daySchema)
})
export type Status = Static<typeof statusSchema>

export const textSchema = Type.Object({ text: Type.String({ minLength: 1, maxLength: 50_000 }) })

export const foundSchema = Type.Object({ word: Type.Union([Type.String(), Type.Null()]) })
export type Found = Static<typeof foundSchema>
