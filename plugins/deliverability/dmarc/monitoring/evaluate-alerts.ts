// Reads what monitoring needs, and writes the alerts that follow. Instances that run at the same time fire once.

import type { MailerCore } from '@keelson/mailer/contracts'
import { DURABLE, systemActor } from '@keelson/sdk'
import { MongoServerError } from 'mongodb'
import { readDomain } from '../aggregate/read-values.ts'
import type { Monitoring } from '../config/monitoring-schema.ts'
import type { DmarcContext } from '../context.ts'
import { daysBefore, readDomains, readWindow } from '../overview/read-domains.ts'
import { progressionOf } from '../overview/read-overview.ts'
import { readSources } from '../overview/read-sources.ts'
import { readTags } from '../sources/read-tags.ts'
import type { AlertRow } from '../storage/rows.ts'
import { findConditions, type WatchedDomain } from './find-conditions.ts'
import { type AlertStep, planAlerts } from './plan-alerts.ts'
import { readMonitoring } from './settings.ts'

/** Alerts fire by themselves: a person who asks for an evaluation only asks sooner. */
export const MONITORING = systemActor('dmarc', 'monitoring')
const SOURCES = 1_000
const MOST_ALERTS = 10_000

/** Evaluates everything once. @returns the alerts that fired */
export async function evaluateAlerts(
  context: DmarcContext,
  mailer: Pick<MailerCore, 'senderDomains' | 'as'>
): Promise<readonly { readonly id: string; readonly event: string }[]> {
  const { collections, clock } = context
  const { settings } = await readMonitoring(context)
  const now = clock.now()
  const [domains, sources, findTag, stored] = await Promise.all([
    watchedDomains(context, settings, mailer),
    readSources(context, { receivedSince: daysBefore(now, settings.windowDays) }, SOURCES),
    readTags(context),
    collections.alerts.find().limit(MOST_ALERTS).toArray()
  ])
  const conditions = findConditions({ now, settings, domains, sources, findTag })
  const fired: { id: string; event: string }[] = []
  for (const step of planAlerts(stored, conditions, { now, ...settings })) {
    const isMine = await writeStep(context, step, now)
    if (!isMine || step.event === null) continue
    fired.push({ id: step._id, event: step.event })
    await mailer.as(MONITORING).audit({
      action: `dmarc.alert.${step.event}`,
      resource: { collection: 'dmarc_alerts', id: step._id },
      ...(step.condition && { after: step.condition })
    })
  }
  return fired
}

/** Sender domains, domains with reports and extra ones, without those to ignore. */
export async function monitoredDomains(
  { collections }: Pick<DmarcContext, 'collections'>,
  { extraDomains, ignoredDomains }: Monitoring,
  mailer: Pick<MailerCore, 'senderDomains'>
): Promise<readonly string[]> {
  const reported = await collections.reports.distinct('domain')
  const senders = mailer.senderDomains().map(({ domain }) => domain)
  const ignored = new Set(ignoredDomains.map((domain) => domain.toLowerCase()))
  const named = [...senders, ...extraDomains, ...reported].flatMap((one) => readDomain(one) ?? [])
  return [...new Set(named)].filter((domain) => !ignored.has(domain)).sort()
}

async function watchedDomains(
  context: DmarcContext,
  settings: Monitoring,
  mailer: Pick<MailerCore, 'senderDomains'>
): Promise<readonly WatchedDomain[]> {
  const names = await monitoredDomains(context, settings, mailer)
  const [sums, window, checks, findTag] = await Promise.all([
    readDomains(context),
    readWindow(context, settings.windowDays),
    context.collections.dnsChecks.find({ _id: { $in: [...names] } }).toArray(),
    readTags(context)
  ])
  const byName = new Map(sums.map((one) => [one.domain, one]))
  const found: WatchedDomain[] = []
  for (const domain of names) {
    const sum = byName.get(domain)
    const published = checks.find(({ _id }) => _id === domain)
    const { messages = 0, passed = 0, lastReportAt = null } = window.get(domain) ?? {}
    found.push({
      domain,
      messages,
      passed,
      lastReportAt,
      progression:
        sum === undefined ? null : await progressionOf(context, sum, { findTag, published }),
      findings: published?.findings ?? []
    })
  }
  return found
}

/** False when another instance wrote the alert first. */
async function writeStep(
  { collections }: DmarcContext,
  { _id, condition, event, revision }: AlertStep,
  now: Date
): Promise<boolean> {
  const isEnd = event === 'resolved'
  const fires = event === null ? {} : { firedAt: now, pending: { event, at: now, tries: 0 } }
  const opens = event === 'open' ? { openedAt: now, resolvedAt: null } : {}
  const set: Partial<AlertRow> = {
    ...condition,
    ...fires,
    ...opens,
    state: isEnd ? 'resolved' : 'open',
    updatedAt: now,
    ...(isEnd && { resolvedAt: now })
  }
  const counts = { revision: 1, fireCount: event === null ? 0 : 1 }
  const filter = revision === 0 ? { _id, revision: { $exists: false } } : { _id, revision }
  try {
    const written = await collections.alerts.updateOne(
      filter,
      { $set: set, $inc: counts },
      { upsert: revision === 0, ...DURABLE }
    )
    return written.matchedCount + written.upsertedCount === 1
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) return false
    throw error
  }
}
