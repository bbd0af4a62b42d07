// Settings, what goes over the wire, and what the outside API must answer: each type is made from its schema.
import { type Static, Type } from '@keelson/sdk'

export const configSchema = Type.Object(
  {
    apiUrl: Type.String({
      pattern: '^https?://',
      form: 'an address that begins with https://',
      default: 'https://api.frankfurter.dev/v1',
      description: 'The API that is asked for rates.'
    }),
    base: Type.String({
      pattern: '^[A-Z]{3}$',
      form: 'a currency of three capital letters, such as EUR',
      default: 'EUR',
      description: 'Rates are for one unit of it.'
    })
  },
  { additionalProperties: false }
)
export type RatesConfig = Static<typeof configSchema>

/** What others send is checked before it is stored. */
export const apiAnswer = Type.Object({
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  rates: Type.Record(Type.String(), Type.Number())
})
export type ApiAnswer = Static<typeof apiAnswer>

export const daySchema = Type.Object({
  day: Type.String({ format: 'date' }),
  rates: Type.Record(Type.String(), Type.Number()),
  fetchedAt: Type.String({ format: 'date-time' })
})
/** The rates of one day. */
export type Day = Static<typeof daySchema>

export const daysSchema = Type.Object({ base: Type.String(), items: Type.Array(daySchema) })
export type DaysAnswer = Static<typeof daysSchema>
