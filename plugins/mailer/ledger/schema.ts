// The configuration of a mailer, described once: types, checks, the plugin's config and defaults derive from here.
import type { FactsAdapter } from '@keelson/programs/contracts'
import { closed, optional, type Static, type TSchema, Type } from '@keelson/sdk'
import type { Db } from 'mongodb'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import type {
  ContactAdapterOption,
  MailerLogger,
  MailTelemetry,
  OnSendFailure,
  TemplateHelper,
  VarsAdapter
} from './host-code.ts'
import { MAILBOX_PROVIDERS, type MailboxProvider } from './mailbox-provider.ts'

/** Values of settings that are left out. */
export const DEFAULTS = {
  collectionPrefix: 'mailer_',
  doiTemplateSlug: 'doi-confirmation',
  doiTokenLifetimeDays: 7,
  unsubscribeTokenLifetimeDays: 90,
  unsubscribeWriteTimeoutMs: 5000,
  trackingUrlLifetimeDays: 0,
  tickIntervalSeconds: 60,
  sendConcurrency: 5,
  sendRatePerSecond: 10,
  sendRetryAttempts: 4,
  providerPatienceHours: 72,
  webhookRetryAttempts: 3,
  softBouncePromotionThreshold: 3,
  softBouncePromotionWindowDays: 30,
  softBouncePromotionMinDays: 7,
  softBounceSuppressionDays: 90,
  broadcastConfirmationThreshold: 1000,
  stopRules: {
    enabled: true,
    hardBounceRatePct: 2,
    complaintRatePct: 0.1,
    unsubscribeRatePct: 1,
    minSample: 100
  },
  pauseDays: [7, 14, 30],
  deferralMaxHours: 72
} as const

const text = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 2048, description, ...more })
/** Of `trackOpens` and `trackClicks`. */
const NEW_TEMPLATES =
  'What new templates of marketing mail begin with; those of transactional mail begin with false. Each template says what holds for its mails.'

const flag = (value: boolean, description: string) =>
  optional(Type.Boolean({ default: value, description }))
const count = (value: number, description: string, minimum = 1) =>
  optional(Type.Integer({ minimum, maximum: 1_000_000_000, default: value, description }))
const amount = (value: number, description: string) =>
  optional(Type.Number({ exclusiveMinimum: 0, default: value, description }))
const code = <T>(description: string) => Type.Unsafe<T>(Type.Unknown({ description }))
const map = <T extends TSchema>(value: T, description: string) =>
  optional(Type.Record(Type.String({ minLength: 1, maxLength: 253 }), value, { description }))

const sender = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    email: Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', form: 'a mail address', maxLength: 320 })
  },
  closed
)
const kinds = Type.Enum(['marketing', 'transactional', 'both'])
const percent = (value: number) =>
  optional(Type.Number({ minimum: 0, maximum: 100, default: value }))
const clockTime = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  form: 'a time such as 21:30'
})

/** How often, and when not. */
const frequency = {
  minGapHours: optional(Type.Number({ minimum: 0, maximum: 8760 })),
  maxPerRollingDays: optional(
    Type.Object(
      {
        days: Type.Integer({ minimum: 1, maximum: 365 }),
        count: Type.Integer({ minimum: 1, maximum: 10_000 })
      },
      closed
    )
  ),
  quietHours: optional(Type.Object({ start: clockTime, end: clockTime }, closed))
}

/** How often and when a contact gets mail of a category. */
export const categoryPolicy = Type.Object(frequency, {
  ...closed,
  description:
    'How often and when a contact gets mail of this category, besides contactPolicy. Its quiet hours take the place of those there.'
})

const category = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9]+([.-][a-z0-9]+)*$',
      form: 'words in lower case with hyphens between them, such as product-news',
      maxLength: 64
    }),
    label: text('Shown on the preference page.'),
    description: optional(text('Shown below the label.')),
    policy: optional(categoryPolicy)
  },
  closed
)

const contactPolicy = Type.Object(
  {
    ...frequency,
    blackoutDates: optional(
      Type.Array(
        Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', form: 'a date such as 2026-12-24' }),
        { maxItems: 50 }
      )
    ),
    defaultTimezone: optional(text('IANA name, for contacts without one. Default: UTC.')),
    deferral: optional(
      Type.Object(
        { maxHours: amount(DEFAULTS.deferralMaxHours, 'Then the mail is cancelled.') },
        closed
      )
    )
  },
  { ...closed, description: 'How often and when a contact gets marketing mail.' }
)

const warmUpSchedule = Type.Object(
  {
    startsOn: Type.String({
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
      form: 'a date such as 2026-12-24',
      description: 'The first day, as 2026-11-22, UTC.'
    }),
    startPerDay: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    growth: Type.Number({ minimum: 1, maximum: 100, description: 'Times the day before.' }),
    capPerDay: Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
  },
  closed
)

const warmUp = Type.Object(
  Object.fromEntries(MAILBOX_PROVIDERS.map((name) => [name, optional(warmUpSchedule)])) as Record<
    MailboxProvider,
    ReturnType<typeof Type.Optional<typeof warmUpSchedule>>
  >,
  {
    ...closed,
    description:
      'How much mail a day each sender domain may send while it is new, by mailbox provider (UTC days, spread over the hours). Marketing mail over it waits with the cause warm_up; transactional mail counts and never waits.'
  }
)

/** Settings that a file can hold. */
export const fileSettings = {
  defaultProvider: optional(text('Name of a provider. Default: the first.')),
  defaultTransactionalProvider: optional(text('For transactional mail. Default: defaultProvider.')),
  providerFallbacks: map(
    text('Name of a provider.'),
    'Which provider takes over from which: for mail that the first did not take, never for mail it may have.'
  ),
  warmUp: optional(warmUp),
  publicUrl: Type.String({
    pattern: '^https?://',
    form: 'an address that begins with https://',
    maxLength: 2048,
    description: 'Origin of the host as recipients reach it; `/m/…` is appended.'
  }),
  unsubscribeSecret: Type.String({
    minLength: 16,
    maxLength: 1024,
    secret: true,
    description: 'Signs unsubscribe and confirmation links and tracking addresses.'
  }),
  senderAddress: optional(text('Postal address, for `{{senderAddress}}`.')),
  fromDefaults: optional(sender),
  transactionalFromDefaults: optional(sender),
  senderDomains: map(
    Type.Object({ kind: kinds }, closed),
    'Domains that mail is sent from, and the kind of mail each is for.'
  ),
  linkDomains: optional(Type.Array(text('A domain.'), { maxItems: 100 })),
  requireDoubleOptIn: flag(false, 'New subscriptions wait for a confirmation.'),
  doiTemplateSlug: optional(text('Template of the confirmation mail.')),
  doiTokenLifetimeDays: amount(DEFAULTS.doiTokenLifetimeDays, 'Days.'),
  unsubscribeTokenLifetimeDays: amount(DEFAULTS.unsubscribeTokenLifetimeDays, 'Days.'),
  unsubscribeWriteTimeoutMs: count(
    DEFAULTS.unsubscribeWriteTimeoutMs,
    'How long an unsubscribe waits for the database, before the journal or 503.'
  ),
  handOverJournalDir: optional(
    text(
      'Folder of this machine for journals of hand-overs: after a crash, mails that had not left are sent, and not in doubt. Default: hand-overs beside pendingUnsubsPath.'
    )
  ),
  pendingUnsubsPath: optional(text('File of unsubscribes that the database could not take.')),
  requireSignedTrackingUrls: flag(
    false,
    'Tracking addresses without a signature are refused. This mailer signs all; mail of one that did not needs false.'
  ),
  unsignedTrackingBefore: optional(
    Type.String({
      format: 'date-time',
      description:
        'Tracking addresses without a signature count only for mail queued before. Default: for all whose id cannot be guessed.'
    })
  ),
  trackingUrlLifetimeDays: optional(
    Type.Number({ minimum: 0, default: 0, description: 'Days; 0: they never expire.' })
  ),
  trackOpens: flag(true, NEW_TEMPLATES),
  trackClicks: flag(true, NEW_TEMPLATES),
  storeTrackingIp: flag(false, 'Keep the address beside opens and clicks.'),
  storeRenderedBody: flag(false, 'Keep the mail as sent.'),
  tickIntervalSeconds: amount(DEFAULTS.tickIntervalSeconds, 'Between ticks.'),
  sendConcurrency: count(
    DEFAULTS.sendConcurrency,
    'Hand-overs at a time, per provider and process.'
  ),
  sendRatePerSecond: amount(DEFAULTS.sendRatePerSecond, 'Of a provider that does not say its own.'),
  sendRetryAttempts: count(DEFAULTS.sendRetryAttempts, 'Tries of a mail, the first included.'),
  providerPatienceHours: amount(
    DEFAULTS.providerPatienceHours,
    'How long a mail waits for a provider that takes no mail.'
  ),
  alertEmail: optional(
    text('Gets a mail when a provider takes no mail for five minutes. Default: no mail.', {
      maxLength: 320,
      pattern: '^[^@\\s]+@[^@\\s]+$',
      form: 'a mail address'
    })
  ),
  webhookRetryAttempts: count(DEFAULTS.webhookRetryAttempts, 'Tries of a webhook step of a flow.'),
  webhookSecret: optional(
    Type.String({
      secret: true,
      pattern: '^(whsec_[A-Za-z0-9+/]{22,}={0,2})?$',
      form: 'whsec_ and at least 22 characters of base64',
      maxLength: 200,
      description: 'Signs the calls of webhook steps, after Standard Webhooks: whsec_ and base64.'
    })
  ),
  softBouncePromotionThreshold: optional(
    Type.Integer({
      default: DEFAULTS.softBouncePromotionThreshold,
      description:
        'Bounces of a mailbox, without a delivery in between, that suppress it for marketing mail; 0 or less: never.'
    })
  ),
  softBouncePromotionWindowDays: amount(DEFAULTS.softBouncePromotionWindowDays, 'Days.'),
  softBouncePromotionMinDays: count(
    DEFAULTS.softBouncePromotionMinDays,
    'Days from the first of these bounces to the last, at least.'
  ),
  softBounceSuppressionDays: amount(
    DEFAULTS.softBounceSuppressionDays,
    'Days until such a suppression ends.'
  ),
  broadcastConfirmationThreshold: count(
    DEFAULTS.broadcastConfirmationThreshold,
    'From that many recipients on, the number must be typed.'
  ),
  broadcastStopRules: optional(
    Type.Object(
      {
        enabled: flag(true, 'Broadcasts stop by themselves.'),
        hardBounceRatePct: percent(DEFAULTS.stopRules.hardBounceRatePct),
        complaintRatePct: percent(DEFAULTS.stopRules.complaintRatePct),
        unsubscribeRatePct: percent(DEFAULTS.stopRules.unsubscribeRatePct),
        minSample: count(
          DEFAULTS.stopRules.minSample,
          'Delivered and bounced mails before it counts.'
        )
      },
      closed
    )
  ),
  machineAgents: optional(
    Type.Array(text('Part of a user agent that opens or clicks as a machine.'), { maxItems: 200 })
  ),
  categories: optional(Type.Array(category, { maxItems: 50 })),
  contactPolicy: optional(contactPolicy),
  preferences: optional(
    Type.Object(
      {
        pauseDays: optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: 365 }), { maxItems: 10 })
        )
      },
      closed
    )
  )
}

/** The queue of a mailer. `noop` runs no work: for tests, and for processes that only add. */
const queue = Type.Object(
  {
    driver: Type.Enum(['leased', 'noop'], {
      default: 'leased',
      description: 'leased: batches claimed in the collections themselves.'
    })
  },
  closed
)

/** The settings of a plugin beside the mailer: its own schema checks them. */
const settingsOf = (plugin: string) =>
  optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `Settings of ${plugin}; its README.`
    })
  )

/** The configuration of `Mailer.init`. */
export const mailerSchema = Type.Object(
  {
    ...fileSettings,
    circuitBreaker: settingsOf('@keelson/circuit-breaker'),
    dnsbl: settingsOf('@keelson/block-lists'),
    postmaster: settingsOf('@keelson/postmaster'),
    snds: settingsOf('@keelson/snds'),
    dmarc: settingsOf('@keelson/dmarc'),
    contentScorer: settingsOf('@keelson/content-scorer'),
    programs: settingsOf('@keelson/programs'),
    db: optional(code<Db>('A database. Either this or `mongo`.')),
    mongo: optional(
      Type.Object(
        {
          uri: Type.String({ minLength: 1, maxLength: 4096, secret: true }),
          dbName: optional(text('Default: that of the address.')),
          clientOptions: optional(code<object>('Of MongoClient.'))
        },
        closed
      )
    ),
    collectionPrefix: optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]*$',
        maxLength: 60,
        default: DEFAULTS.collectionPrefix
      })
    ),
    adapter: code<ContactAdapterOption>(
      'Contacts of the host, or a function that makes the adapter.'
    ),
    queue: optional(queue),
    providers: Type.Record(
      Type.String({ minLength: 1, maxLength: 64 }),
      code<MailProvider>('A provider.')
    ),
    varsAdapter: optional(code<VarsAdapter>('Variables of the host.')),
    handlebarsHelpers: optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 64 }), code<TemplateHelper>('A helper.'))
    ),
    factsAdapter: optional(
      code<FactsAdapter>(
        'Facts about the subjects of programs. Default: contacts and their fields.'
      )
    ),
    telemetry: optional(code<MailTelemetry>('Where mails are recorded as events.')),
    onSendFailure: optional(code<OnSendFailure>('Called when a mail failed for good.')),
    logger: optional(code<MailerLogger>('Default: silent.'))
  },
  closed
)

/** The configuration of `Mailer.init`. */
export type MailerConfig = Static<typeof mailerSchema>
