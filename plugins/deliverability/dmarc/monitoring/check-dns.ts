// Checks the DNS of the monitored domains that are due, and keeps what it found.

import type { MailerCore, SenderFactsSource } from '@keelson/mailer/contracts'
import { DURABLE, type Host } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { checkDomain } from '../dns/check-domain.ts'
import { checkReverse } from '../dns/check-reverse.ts'
import { createDns } from '../dns/dns-lookup.ts'
import { judgeDomain } from '../dns/judge-domain.ts'
import { readSenderFacts } from '../readiness/read-readiness.ts'
import type { DnsCheckRow } from '../storage/rows.ts'
import type { DeliveryContext } from './deliver-alerts.ts'
import { monitoredDomains } from './evaluate-alerts.ts'
import { readMonitoring } from './settings.ts'

export interface DnsContext extends DmarcContext, Omit<DeliveryContext, 'mailer'> {
  readonly fetch: Host['fetchPublic']
  readonly mailer: MailerCore
  /** Name the addresses that send a domain's mail. */
  factsSources(): readonly SenderFactsSource[]
  /** Null: nothing is asked. */
  readonly servers: readonly string[] | undefined | null
}

const HOUR_MS = 3_600_000
const AT_ONCE = 4
const LOOKED_AT = 200
const MOST_SELECTORS = 20

/** Checks what is due; all of `only`, whenever it was checked. */
export async function checkDns(
  context: DnsContext,
  signal: AbortSignal,
  only?: readonly string[]
): Promise<readonly DnsCheckRow[]> {
  const { collections, clock, servers } = context
  if (servers === null) return []
  const { settings } = await readMonitoring(context)
  const interval = settings.dnsCheckIntervalHours * HOUR_MS
  if (only === undefined && interval === 0) return []
  const names = only ?? (await monitoredDomains(context, settings, context.mailer))
  const fresh = {
    _id: { $in: [...names] },
    checkedAt: { $gt: new Date(clock.now().getTime() - interval) }
  }
  const done = only === undefined ? await collections.dnsChecks.find(fresh).toArray() : []
  const checked = new Set(done.map(({ _id }) => _id))
  const due = names.filter((name) => !checked.has(name))
  const dns = createDns({ servers, signal })
  const known = await readSenderFacts(context, due)
  const rows: DnsCheckRow[] = []
  for (let at = 0; at < due.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const asked = due.slice(at, at + AT_ONCE).map(async (domain): Promise<DnsCheckRow> => {
      const selectors = await selectorsOf(context, domain)
      const facts = await checkDomain(domain, { dns, fetch: context.fetch, selectors, signal })
      const { policy, spf, dkim, mtaSts, tlsRpt, bimi } = facts
      return {
        _id: domain,
        checkedAt: clock.now(),
        findings: judgeDomain(facts, settings),
        record: policy.record?.text ?? null,
        recordAt: policy.at,
        organisation: policy.organisation,
        questions: policy.steps.length,
        spf: { record: spf.records[0] ?? null, lookups: spf.lookups, voidLookups: spf.voidLookups },
        dkim,
        reverse: await checkReverse(dns, known.get(domain)?.sendingIps ?? []),
        mtaSts,
        tlsRpt,
        bimi
      }
    })
    const found = await Promise.all(asked)
    signal.throwIfAborted()
    await collections.dnsChecks.bulkWrite(
      found.map(({ _id, ...row }) => ({
        replaceOne: { filter: { _id }, replacement: row, upsert: true }
      })),
      { ordered: false, ...DURABLE }
    )
    rows.push(...found)
  }
  return rows
}

/** Selectors of the config, and those that sign mail which passes. */
async function selectorsOf(
  { collections, config }: DmarcContext,
  domain: string
): Promise<readonly string[]> {
  const recent = await collections.records
    .find({ domain, aligned: true })
    .sort({ rangeEnd: -1 })
    .limit(LOOKED_AT)
    .project<{ readonly dkimAuth: readonly DkimSeen[] }>({ dkimAuth: 1 })
    .toArray()
  const seen = recent
    .flatMap(({ dkimAuth }) => dkimAuth)
    .filter((auth) => auth.domain === domain && auth.result === 'pass')
    .flatMap(({ selector }) => selector ?? [])
  const all = [...config.dkimSelectors, ...seen]
  return [...new Set(all)]
    .filter((name) => /^[a-z0-9._-]{1,120}$/i.test(name))
    .slice(0, MOST_SELECTORS)
}

interface DkimSeen {
  readonly domain: string
  readonly selector: string | null
  readonly result: string
}
