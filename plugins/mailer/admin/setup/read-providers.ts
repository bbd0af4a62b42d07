// What is known of each provider: what it can do, and what it did lately.
import { type Static, Type } from '@keelson/sdk'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import { hourOf } from '../../delivery/outcomes/count-hours.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { HourRow, ProviderCounts } from '../../ledger/hour-row.ts'

const DAY_MS = 24 * 3_600_000
const count = Type.Integer()
const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** A provider, as operators see it. */
export const providerStatusSchema = Type.Object(
  {
    name: Type.String(),
    isDefault: Type.Boolean(),
    isDefaultTransactional: Type.Boolean(),
    /** The provider that takes over. */
    fallback: Type.Union([Type.String(), Type.Null()]),
    sendRatePerSecond: Type.Number(),
    concurrency: count,
    /** Can be asked for a mail whose outcome is unknown. */
    canLookUp: Type.Boolean(),
    hasIdempotencyKeys: Type.Boolean(),
    webhookPath: Type.String(),
    /** Of the last 24 hours. */
    sent: count,
    delivered: count,
    bounced: count,
    failed: count,
    lastSentAt: time,
    lastFailedAt: time
  },
  { title: 'ProviderStatus' }
)

/** A provider, as operators see it; times may be dates. */
export type ProviderStatus = Omit<
  Static<typeof providerStatusSchema>,
  'lastSentAt' | 'lastFailedAt'
> & { readonly lastSentAt: Date | null; readonly lastFailedAt: Date | null }

/** Every provider, in the order of the configuration. */
export async function readProviders(context: MailerContext): Promise<readonly ProviderStatus[]> {
  const { collections, clock, providers } = context
  const from = new Date(clock.now().getTime() - DAY_MS)
  const hours = await collections.hours.find({ _id: { $gt: hourOf(from) } }).toArray()
  return [...providers].map(([name, provider]) => statusOf(context, [name, provider], hours))
}

function statusOf(
  { config }: MailerContext,
  [name, provider]: readonly [string, MailProvider],
  hours: readonly HourRow[]
): ProviderStatus {
  const rows = hours.flatMap(({ providers }) => providers?.[name] ?? [])
  const sum = (field: 'sent' | 'delivered' | 'bounced' | 'failed') =>
    rows.reduce((all, row) => all + (row[field] ?? 0), 0)
  return {
    name,
    isDefault: name === config.defaultProvider,
    isDefaultTransactional: name === config.defaultTransactionalProvider,
    fallback: config.providerFallbacks?.[name] ?? null,
    sendRatePerSecond: provider.sendRatePerSecond ?? config.sendRatePerSecond,
    concurrency: provider.concurrency ?? config.sendConcurrency,
    canLookUp: provider.lookUp !== undefined,
    hasIdempotencyKeys: provider.capabilities?.idempotencyKeys === true,
    webhookPath: `/m/webhooks/${name}`,
    sent: sum('sent'),
    delivered: sum('delivered'),
    bounced: sum('bounced'),
    failed: sum('failed'),
    lastSentAt: latest(rows, 'lastSentAt'),
    lastFailedAt: latest(rows, 'lastFailedAt')
  }
}

function latest(
  rows: readonly ProviderCounts[],
  field: 'lastSentAt' | 'lastFailedAt'
): Date | null {
  const times = rows.flatMap((row) => row[field]?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(...times))
}
