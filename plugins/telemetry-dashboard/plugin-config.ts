// The config of the kernel plugin.
import { Type } from '@keelson/sdk'
import { DEFAULT_LIMITS, type QueryLimits } from '@keelson/telemetry'

/** What each cap counts. */
const CAPS = {
  records: 'Rows a page',
  series: 'Buckets',
  distribution: 'Rows scanned',
  rollups: 'Documents',
  trace: 'Rows',
  journey: 'Rows',
  distinct: 'Documents scanned',
  funnel: 'Subjects in a cohort'
} as const satisfies Record<keyof QueryLimits, string>

const cap = (name: keyof QueryLimits) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `${CAPS[name]}. Default ${DEFAULT_LIMITS[name].toLocaleString('en')}.`
    })
  )

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
          records: cap('records'),
          series: cap('series'),
          distribution: cap('distribution'),
          rollups: cap('rollups'),
          trace: cap('trace'),
          journey: cap('journey'),
          distinct: cap('distinct'),
          funnel: cap('funnel')
        },
        { additionalProperties: false, description: 'Caps in place of the defaults.' }
      )
    ),
    ingestPath: Type.String({
      default: '/ingest',
      pattern: '^/',
      form: 'an address that begins with /',
      description:
        'Where records are sent to, below the prefix of the platform, for the example beside a new key.',
      public: true
    })
  },
  { additionalProperties: false }
)
