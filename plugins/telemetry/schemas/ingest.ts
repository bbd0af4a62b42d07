// What ingest takes and answers, for the API document: the handlers read bodies themselves, tolerantly.
import { optional, Type } from '@keelson/sdk'
import { count, openObject, text } from './parts.ts'

const open = { additionalProperties: true } as const

const errorSchema = Type.Object({ error: text() }, open)

const batchSchema = Type.Object(
  {
    records: Type.Array(
      Type.Object(
        {
          _id: text('16 to 64 printable characters. Sent again, it is stored once.'),
          name: text('Registered event name.'),
          occurredAt: optional(text('ISO 8601. Default: when it arrives.')),
          subjects: optional(Type.Array(openObject('`{ type, id, role? }`'))),
          actor: optional(text('`<type>:<id>`')),
          attrs: optional(openObject()),
          metrics: optional(openObject())
        },
        open
      ),
      { description: 'At most 100 by default.' }
    ),
    sentAt: optional(text("The sender's clock, ISO 8601: corrects `occurredAt`.")),
    release: optional(text()),
    client: optional(openObject('Facts about the client; `platform` and `appVersion` at least.')),
    context: optional(
      openObject('`subjects` and `actor` of all records; `tenantId` of claimed keys.')
    )
  },
  open
)

/** `POST /`. */
export const batchSchemas = {
  querystring: Type.Object({
    key: optional(text('A publishable key, where no header can be sent.'))
  }),
  body: batchSchema,
  response: {
    202: Type.Object({ accepted: count(), rejected: count() }),
    '4xx': errorSchema,
    '5xx': errorSchema
  }
}

/** `POST /v1/…`, as JSON or protobuf. */
export const otlpSchemas = {
  body: openObject('An export request of OTLP 1.x.'),
  response: {
    200: openObject('Empty, or `partialSuccess` with what was rejected.'),
    '4xx': openObject('google.rpc.Status.'),
    '5xx': openObject('google.rpc.Status.')
  }
}
