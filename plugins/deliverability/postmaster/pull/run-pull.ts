// One pull: reads the domains that are due, stores their days, and trips what Gmail reports as spam.

import type { MailBreaker, MailerCore } from '@keelson/mailer/contracts'
import { pauseAfter } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { DomainStats } from '../api/day-stats.ts'
import type { PostmasterClient } from '../api/postmaster-client.ts'
import type { PostmasterConfig } from '../config.ts'
import type { Stored } from '../storage/rows.ts'
import { isFresh, judgeDay } from './judge-day.ts'

/** What a pull works with. */
export interface PostmasterContext {
  readonly config: PostmasterConfig
  readonly stored: Stored
  /** undefined without credentials. */
  readonly client: PostmasterClient | undefined
  readonly mailer: Pick<MailerCore, 'senderDomains'>
  /** undefined without a circuit breaker: nothing is tripped. */
  readonly breaker: MailBreaker | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly now: Date
  readonly signal: AbortSignal
}

/** What a pull came to. */
export type PostmasterPull =
  | {
      readonly ran: false
      readonly reason: 'not_configured' | 'disabled' | 'no_domains' | 'not_due'
    }
  | {
      readonly ran: true
      /** Domains that were read. */
      readonly fetched: number
      readonly failed: number
      /** Domains whose marketing mail this pull stopped. */
      readonly trippedDomains: readonly string[]
    }

const CONCURRENCY = 4
const HOUR_MS = 3_600_000

/**
 * Reads Postmaster Tools. It is safe to repeat: a day is stored once, and the same figures trip once.
 *
 * @param options `isForced`: reads all domains, however recent the last read is
 */
export async function runPostmasterPull(
  context: PostmasterContext,
  { isForced = false }: { readonly isForced?: boolean } = {}
): Promise<PostmasterPull> {
  const { client, config } = context
  if (client === undefined) return { ran: false, reason: 'not_configured' }
  if (config.intervalHours === 0 && !isForced) return { ran: false, reason: 'disabled' }
  const domains = watchedDomains(context)
  if (domains.length === 0) return { ran: false, reason: 'no_domains' }
  const due = isForced ? domains : await dueDomains(context, domains)
  if (due.length === 0) return { ran: false, reason: 'not_due' }
  const reads = await readAll(due, (domain) => readDomain(context, client, domain))
  return {
    ran: true,
    fetched: reads.filter(({ isRead }) => isRead).length,
    failed: reads.filter(({ isRead }) => !isRead).length,
    trippedDomains: reads.filter(({ isTripped }) => isTripped).map(({ domain }) => domain)
  }
}

/** The configured domains, else those of the mailer. */
export function watchedDomains({
  config,
  mailer
}: Pick<PostmasterContext, 'config' | 'mailer'>): readonly string[] {
  const domains = config.domains ?? mailer.senderDomains().map(({ domain }) => domain)
  return [...new Set(domains.map((domain) => domain.toLowerCase()))]
}

async function dueDomains(
  { stored, config, now }: PostmasterContext,
  domains: readonly string[]
): Promise<readonly string[]> {
  const rows = await stored.domains.find({ _id: { $in: [...domains] } }).toArray()
  const intervalMs = config.intervalHours * HOUR_MS
  const waiting = rows.filter(
    ({ attemptedAt, failures }) =>
      now.getTime() - attemptedAt.getTime() < pauseAfter(failures, intervalMs)
  )
  const names = new Set(waiting.map(({ _id }) => _id))
  return domains.filter((domain) => !names.has(domain))
}

interface DomainRead {
  readonly domain: string
  readonly isRead: boolean
  readonly isTripped: boolean
}

/** A few at a time. */
async function readAll(
  domains: readonly string[],
  read: (domain: string) => Promise<DomainRead>
): Promise<readonly DomainRead[]> {
  const waiting = [...domains]
  const reads: DomainRead[] = []
  const worker = async () => {
    for (let domain = waiting.shift(); domain !== undefined; domain = waiting.shift()) {
      reads.push(await read(domain))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return reads
}

async function readDomain(
  context: PostmasterContext,
  client: PostmasterClient,
  domain: string
): Promise<DomainRead> {
  const { stored, now, signal, log } = context
  try {
    const stats = await client.read(domain, now, signal)
    await saveDays(context, domain, stats)
    const isTripped = await tripIfBad(context, domain, stats)
    const { compliance } = stats
    const row = { attemptedAt: now, failures: 0, errorMessage: null, compliance }
    await stored.domains.updateOne({ _id: domain }, { $set: row }, { upsert: true })
    return { domain, isRead: true, isTripped }
  } catch (error) {
    const errorMessage = sentenceOf(error)
    log.warn({ domain, reason: errorMessage }, 'Postmaster Tools could not be read')
    await stored.domains.updateOne(
      { _id: domain },
      {
        $set: { attemptedAt: now, errorMessage },
        $inc: { failures: 1 },
        $setOnInsert: { compliance: [] }
      },
      { upsert: true }
    )
    return { domain, isRead: false, isTripped: false }
  }
}

/** undici hides the reason in the cause. */
function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
  return reason.slice(0, 500)
}

async function saveDays(
  { stored, now }: PostmasterContext,
  domain: string,
  { source, days }: DomainStats
): Promise<void> {
  if (days.length === 0) return
  await stored.snapshots.bulkWrite(
    days.map((day) => ({
      updateOne: {
        filter: { _id: `${domain} ${day.date}` },
        update: { $set: { ...day, domain, source, fetchedAt: now } },
        upsert: true
      }
    })),
    { ordered: false }
  )
}

/** The newest day decides, and only a domain that marketing mail is sent from has such a bucket. */
async function tripIfBad(
  { breaker, config, mailer, now }: PostmasterContext,
  domain: string,
  { days }: DomainStats
): Promise<boolean> {
  const [latest] = days
  if (latest === undefined || breaker === undefined || !isFresh(latest, now)) return false
  const sender = mailer.senderDomains().find((one) => one.domain === domain)
  if (sender === undefined || sender.kind === 'transactional') return false
  const { level, reason, said } = judgeDay(latest, config)
  if (level !== 'trip') return false
  const { isNew } = await breaker.trip({
    senderDomain: domain,
    kind: 'marketing',
    by: 'postmaster',
    reason,
    said,
    evidenceId: `postmaster:${domain}:${latest.date}`
  })
  return isNew
}
