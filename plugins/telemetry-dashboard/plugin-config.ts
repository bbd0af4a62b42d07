// The config of the kernel plugin.
import { Type } from '@keelson/sdk'

const cap = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

export const pluginConfig = Type.Object(
  {
    views: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 200 }),
            page: Type.String({
              description: 'errors, traces, events, journeys, usage, overview or system'
            }),
            query: Type.Record(Type.String(), Type.Unknown())
          },
          { additionalProperties: false }
        ),
        { maxItems: 500, description: 'Views that everyone gets.' }
      )
    ),
    queryLimits: Type.Optional(
      Type.Object(
        {
          records: cap('Rows a page. Default 200.'),
          series: cap('Buckets. Default 744.'),
          distribution: cap('Rows scanned. Default 100,000.'),
          rollups: cap('Documents. Default 500.'),
          trace: cap('Rows. Default 500.'),
          journey: cap('Rows. Default 500.'),
          distinct: cap('Documents scanned. Default 100,000.'),
          funnel: cap('Subjects in a cohort. Default 5,000.')
        },
        { additionalProperties: false, description: 'Caps in place of the defaults.' }
      )
    ),
    ingestPath: Type.String({
      default: '/ingest',
      pattern: '^/',
      description: 'Where records are sent to, for the example beside a new key.',
      public: true
    })
  },
  { additionalProperties: false }
)
