// Settings, and what goes over the wire: each type is made from its schema.
import { type Static, Type } from '@keelson/sdk'

export const configSchema = Type.Object(
  {
    hours: Type.Integer({
      minimum: 1,
      maximum: 168,
      default: 24,
      public: true,
      description: 'How far back errors are counted.'
    })
  },
  { additionalProperties: false }
)
export type DigestConfig = Static<typeof configSchema>

export const serviceSchema = Type.Object({
  service: Type.String(),
  errors: Type.Integer(),
  lastAt: Type.String({ format: 'date-time' })
})
/** The errors of one service. */
export type Service = Static<typeof serviceSchema>

export const digestSchema = Type.Object({ hours: Type.Integer(), items: Type.Array(serviceSchema) })
export type DigestAnswer = Static<typeof digestSchema>
