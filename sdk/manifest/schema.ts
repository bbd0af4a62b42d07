// The schema of plugin.json: the single source of its types, its checks and plugin-manifest.schema.json.

import { closed } from '../schema-parts.ts'
import { type Static, Type } from '../typebox.ts'
import { address, id, list, ranges, versionedId } from './fields.ts'
import { pageSchema } from './page-schema.ts'

/** Who may call a route. A route without a band is refused at start. */
export const bandSchema = Type.Union(
  [
    Type.Literal('public'),
    Type.Literal('viewer'),
    Type.Literal('admin'),
    Type.Literal('machine'),
    Type.Literal('bearer')
  ],
  {
    description:
      'public: anyone. viewer: signed in. admin: signed in with role admin. machine: credentials that the plugin verifies. bearer: an OAuth access token with the declared scopes.'
  }
)

/** What an operation does to the world. */
export const effectSchema = Type.Union(
  [
    Type.Literal('read'),
    Type.Literal('change'),
    Type.Literal('send'),
    Type.Literal('stop'),
    Type.Literal('release')
  ],
  {
    description:
      'read: changes nothing. change: changes what is stored. send: reaches people outside. stop: ends or holds something. release: lifts a stop, or lets mail go to people.'
  }
)

/** A route in plugin.json: address, band, limits. Its request and response schemas are given in code. */
export const routeSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]*(\\.[a-z][A-Za-z0-9-]*)+$',
        form: 'the id of an operation, such as orders.invoices.list',
        maxLength: 128,
        description:
          'Of an operation: `<plugin>.<things>.<verb>`. `keelson build` writes these entries.'
      })
    ),
    method: Type.Union([
      Type.Literal('GET'),
      Type.Literal('HEAD'),
      Type.Literal('POST'),
      Type.Literal('PUT'),
      Type.Literal('PATCH'),
      Type.Literal('DELETE'),
      Type.Literal('OPTIONS')
    ]),
    path: Type.Optional(address('Relative to the mount of the plugin. Either this or `at`.')),
    at: Type.Optional(
      address(
        'An absolute address, for plugins that serve several roots (/.well-known/…). A wildcard (/files/*) also stands for routes below it, but with bearer.'
      )
    ),
    auth: bandSchema,
    summary: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Shown in /openapi.json.'
    }),
    scopes: list(
      Type.String({ minLength: 1 }),
      'Scopes that a bearer route asks for. A route of band viewer or admin that names scopes also takes an access token with all of them, for the person who granted it; without scopes it takes none. A route that changes something must name one that is not for reading: reading scopes end in `:read`.'
    ),
    permission: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]*\\.[a-z][A-Za-z0-9]*$',
        form: 'a plugin and a right, such as mailer.sendBroadcasts',
        maxLength: 128,
        description:
          'What a viewer needs beside the band: the plugin before the dot decides who has it.'
      })
    ),
    tenants: Type.Optional(
      Type.String({
        pattern: '^\\$\\{[A-Za-z][A-Za-z0-9.]*\\}$',
        form: 'a setting of the plugin, written as ${setting}',
        description:
          'A setting of the config that lists tenants: only their viewers, and those of the platform, are admitted. Default: all.'
      })
    ),
    effect: Type.Optional(effectSchema),
    wildcard: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Why the address ends in `/*`: files, or a protocol with addresses of its own.'
      })
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          max: Type.Integer({ minimum: 1 }),
          windowSeconds: Type.Number({ exclusiveMinimum: 0 })
        },
        {
          ...closed,
          description: 'At most `max` requests in a window, per address or viewer.'
        }
      )
    ),
    bodyLimit: Type.Optional(Type.Integer({ minimum: 1, description: 'Bytes.' })),
    multipart: Type.Optional(Type.Boolean({ description: 'The route takes multipart bodies.' }))
  },
  closed
)

/** An index of a declared collection. */
export const indexSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    keys: Type.Record(
      Type.String({ minLength: 1 }),
      Type.Union([Type.Literal(1), Type.Literal(-1)]),
      {
        ...closed,
        minProperties: 1,
        description: 'Field path → 1 or -1, in order.'
      }
    ),
    unique: Type.Optional(Type.Boolean()),
    sparse: Type.Optional(Type.Boolean()),
    partial: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'partialFilterExpression'
      })
    ),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'expireAfterSeconds: documents go this long after.'
      })
    ),
    onDemand: Type.Optional(
      Type.Boolean({
        description:
          'Is there while the plugin asks for it with `host.payloadIndexes`, and goes when it no longer does.'
      })
    )
  },
  closed
)

const COLLECTION_FORM = 'lower-case letters, digits and _, such as orders_items'

/** A collection in plugin.json, with its indexes and their budget (default 6 besides `_id`). */
export const collectionSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]*$', form: COLLECTION_FORM, maxLength: 100 }),
    indexes: Type.Array(indexSchema, { maxItems: 63 }),
    indexBudget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 63,
        default: 6,
        description: 'Own indexes besides _id.'
      })
    ),
    payloadIndexBudget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'Indexes made from user configuration, besides the declared ones.'
      })
    ),
    personalData: list(Type.String(), 'Fields that hold personal data.'),
    retention: Type.Optional(
      Type.String({ maxLength: 200, description: 'How long rows are kept.' })
    ),
    shardKey: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.Literal(1), Type.Literal(-1), Type.Literal('hashed')]),
        { ...closed, description: 'What to shard by when a cluster is used.' }
      )
    )
  },
  closed
)

/** A recurring job in plugin.json: `every` an interval, or `cron` in UTC. Times are seconds. */
export const jobSchema = Type.Object(
  {
    name: id('Unique in the plugin.'),
    every: Type.Optional(
      Type.String({
        pattern: '^[0-9]+ (second|minute|hour|day)s?$',
        form: 'an interval such as "5 minutes"',
        description: 'An interval: "1 second", "5 minutes".'
      })
    ),
    cron: Type.Optional(
      Type.String({
        minLength: 9,
        description: 'A five-field cron expression, UTC.'
      })
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 60,
        description: 'Seconds.'
      })
    ),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, default: 1 })),
    runsIn: Type.Optional(
      Type.Union([Type.Literal('worker'), Type.Literal('all')], {
        default: 'worker'
      })
    ),
    inParts: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'The code gives any number of jobs by this declaration, or none, as other plugins contribute them; each names its part.'
      })
    )
  },
  closed
)

/** A queue in plugin.json: leased batches over a declared collection. Times are seconds. */
export const queueSchema = Type.Object(
  {
    name: id('Unique in the plugin.'),
    collection: Type.String({
      minLength: 1,
      description: 'A declared collection of this plugin.'
    }),
    where: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]*$' }),
        Type.String({ minLength: 1, maxLength: 64 }),
        {
          minProperties: 1,
          maxProperties: 2,
          additionalProperties: false,
          nameForm: 'the name of a field, of letters and digits',
          description:
            'Fields and values of the items that belong to this queue. Several queues may share a collection; every item that is added must have them. Default: all items.'
        }
      )
    ),
    batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
    leaseSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, default: 60 })),
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 5 })),
    backoff: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 5,
        description: 'Seconds, doubled after each attempt.'
      })
    )
  },
  closed
)

/** A migration in plugin.json; its code is given to `definePlugin` under the same id. */
export const migrationSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-z][0-9a-z-]*$',
      form: 'lower-case letters, digits and hyphens, such as 2026-05-split-names',
      maxLength: 100
    }),
    phase: Type.Optional(
      Type.Union([Type.Literal('before'), Type.Literal('after')], {
        default: 'after',
        description: 'Before or after the index steps of this start.'
      })
    ),
    summary: Type.String({ minLength: 1, maxLength: 200 })
  },
  closed
)

/** A capability that a plugin uses or an extension point that it contributes to: its id, or an object. */
export const useSchema = Type.Union([
  versionedId('A capability or an extension point.'),
  Type.Object(
    {
      capability: versionedId('A capability or an extension point.'),
      optional: Type.Optional(Type.Boolean())
    },
    closed
  )
])

/** The schema of `plugin.json`. Closed throughout: an unknown key is an error with the nearest name. */
export const manifestSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    manifestVersion: Type.Literal(1),
    id: id('Kebab-case. Also the prefix of mounts, collections and elements.'),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    version: Type.String({ description: 'Semver.' }),
    kernel: Type.String({
      minLength: 1,
      description: "A semver range on the kernel's API."
    }),
    description: Type.String({ minLength: 1, maxLength: 300 }),
    license: Type.String({ minLength: 1, maxLength: 80 }),
    main: Type.Optional(Type.String({ description: 'The module that exports the plugin.' })),
    collectionPrefix: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]*$',
        form: COLLECTION_FORM,
        description: 'Default: the id, "-" as "_".'
      })
    ),
    requires: ranges('Plugins that must be there: id → semver range.'),
    optional: ranges('Plugins that are used when they are there: id → semver range.'),
    provides: list(versionedId('A capability.'), 'Capabilities that this plugin provides.'),
    uses: list(useSchema, 'Capabilities it uses and extension points it contributes to.'),
    extensionPoints: list(versionedId('An extension point.'), 'Points others may extend.'),
    mount: Type.Optional(address('Where the routes are mounted. Default: /<id>.')),
    routes: list(routeSchema, 'Every route.', 500),
    collections: list(collectionSchema, 'Every collection.', 100),
    jobs: list(jobSchema, 'Every recurring job.', 50),
    queues: list(queueSchema, 'Every queue.', 50),
    pages: list(pageSchema, 'Every page.', 100),
    config: Type.Optional(
      Type.Unknown({
        description: "JSON Schema of the plugin's config, generated."
      })
    ),
    network: list(
      Type.String({
        pattern: '^[^/\\s:]+(:[0-9]+)?$|^\\[[0-9a-fA-F:.]+\\](:[0-9]+)?$',
        form: 'host or host:port, without https:// and without a path'
      }),
      'Hosts it may call: `host`, `host:port`, or `${setting}` for those that the config names there; within a name `${setting}` is one label.'
    ),
    migrations: list(migrationSchema, 'Migrations, in order.', 500),
    scopes: list(Type.String({ minLength: 1, maxLength: 100 }), 'OAuth scopes it defines.')
  },
  {
    ...closed,
    $id: 'https://keelson.dev/schema/plugin-manifest/1',
    title: 'Keelson plugin manifest',
    description: 'What a plugin is and everything it touches.'
  }
)

/** Who may call a route: public, viewer, admin, machine or bearer. */
export type Band = Static<typeof bandSchema>
/** What plugin.json holds. */
export type Manifest = Static<typeof manifestSchema>
/** A route of a manifest. */
export type ManifestRoute = Static<typeof routeSchema>
/** An index of a collection of a manifest. */
export type ManifestIndex = Static<typeof indexSchema>
/** A collection of a manifest. */
export type ManifestCollection = Static<typeof collectionSchema>
/** A job of a manifest. */
export type ManifestJob = Static<typeof jobSchema>
/** A queue of a manifest. */
export type ManifestQueue = Static<typeof queueSchema>
/** A migration of a manifest. */
export type ManifestMigration = Static<typeof migrationSchema>
/** A use of a manifest: an id, or an object that may say `optional`. */
export type ManifestUse = Static<typeof useSchema>
