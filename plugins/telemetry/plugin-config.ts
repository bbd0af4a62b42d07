// The config of the kernel plugin.
import { Type } from '@keelson/sdk'

const days = Type.Optional(
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 36_500 }), Type.Null()], {
    description: 'Days; null is for ever.'
  })
)

const byKind = { event: days, error: days, span: days, state: days, usage: days }

export const pluginConfig = Type.Object(
  {
    registry: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'Event names to their declarations. Plugins contribute more.'
    }),
    requestSpans: Type.Optional(
      Type.Object(
        {
          tenantId: Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'The tenant that the requests of this host are recorded for.'
          }),
          service: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, default: 'platform' })
          ),
          release: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          event: Type.Optional(
            Type.String({
              minLength: 1,
              default: 'http.request',
              description: 'The registered span that is written.'
            })
          ),
          exclude: Type.Optional(
            Type.Array(
              Type.String({ pattern: '^/', form: 'an address that begins with /', maxLength: 300 }),
              {
                maxItems: 200,
                description:
                  'Routes that are not recorded; `/health/*` is `/health` and all below. Default: the shell, its pages and files, the dashboard and its API, the pages below `/admin`, `/account` and `/dev`, the administration of OAuth, health, metrics and the API reference.'
              }
            )
          )
        },
        {
          additionalProperties: false,
          description: 'Record each answered request as a span. Left out: none.'
        }
      )
    ),
    retention: Type.Optional(
      Type.Object(
        {
          ...byKind,
          services: Type.Optional(
            Type.Record(Type.String(), Type.Object(byKind, { additionalProperties: false }), {
              description: 'Service to days by kind.'
            })
          )
        },
        { additionalProperties: false, description: 'Days rows are kept, by kind and by service.' }
      )
    ),
    subjectAttributes: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 40 }), {
        maxProperties: 40,
        description:
          'Attributes of OTLP records that name a subject, with the type of the subject, besides user.id and enduser.id (user) and session.id (session): {"customer.id": "customer"}.'
      })
    ),
    platforms: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
        maxItems: 40,
        description: 'Client platforms besides web, electron, ios, android, server and cli.'
      })
    ),
    identity: Type.Object(
      {
        anonymousTypes: Type.Array(
          Type.String({
            pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
            form: 'letters, digits, and _ . - between them',
            maxLength: 64
          }),
          {
            default: ['anon', 'device', 'session'],
            maxItems: 16,
            description:
              'Subject types of visitors who are not known: what $identify over a publishable key may link.'
          }
        )
      },
      { additionalProperties: false, default: {} }
    ),
    globalSubjectRefs: Type.Boolean({
      default: false,
      description: 'Subject refs name the same party in every tenant.'
    }),
    alerts: Type.Object(
      {
        webhookHosts: Type.Array(
          Type.String({
            pattern: '^[^/\\s:]+(:[0-9]+)?$|^\\[[0-9a-fA-F:.]+\\](:[0-9]+)?$',
            form: 'host or host:port, without https:// and without a path',
            maxLength: 260
          }),
          {
            default: [],
            maxItems: 50,
            description: 'Hosts, `host` or `host:port`, that webhooks of alerts may go to.'
          }
        ),
        pageUrl: Type.Optional(
          Type.String({
            pattern: '^https?://[^?#\\s]+$',
            form: 'an address that begins with https://, without a query',
            maxLength: 500,
            description:
              'The address of the page of alerts, which messages link to. Default: `/telemetry/alerts` of `auth.publicUrl`; without that, no link.'
          })
        )
      },
      { additionalProperties: false, default: {} }
    ),
    history: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(
            Type.Boolean({ default: true, description: 'Whether older records are sealed.' })
          ),
          sealAfterHours: Type.Optional(
            Type.Number({
              minimum: 1,
              maximum: 100_000,
              default: 24,
              description:
                'Their age. Less, down to one hour, while more than half of mirrorRows are not sealed.'
            })
          ),
          cacheDir: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 1000,
              description:
                'Where files of segments are kept on this machine. Default: in the temporary folder of the system.'
            })
          ),
          cacheMb: Type.Optional(
            Type.Number({
              minimum: 16,
              maximum: 1_000_000,
              default: 1024,
              description: 'Their size.'
            })
          ),
          memoryMb: Type.Optional(
            Type.Number({
              minimum: 64,
              maximum: 1_000_000,
              default: 256,
              description: 'Of DuckDB.'
            })
          ),
          threads: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 64, default: 2, description: 'Of DuckDB.' })
          ),
          mirrorRows: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 100_000_000,
              default: 200_000,
              description: 'Most records that are not sealed and are mirrored in its memory.'
            })
          )
        },
        { additionalProperties: false, description: 'Older records in columns.' }
      )
    ),
    mcp: Type.Object(
      {
        showData: Type.Boolean({
          default: false,
          description: 'Whether agents see the `data` of records.'
        })
      },
      { additionalProperties: false, default: {} }
    ),
    pepper: Type.Optional(
      Type.String({
        secret: true,
        description: 'Mixed into the pseudonyms of erased subjects.'
      })
    )
  },
  { additionalProperties: false }
)
