// What is wrong with the records of a domain, and the record that mends it. Pure.

import { readDmarcRecord } from './dmarc-record.ts'
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS, type SpfReading } from './spf.ts'
import type { FoundPolicy } from './tree-walk.ts'

/** A record to publish. */
export interface DnsRecord {
  readonly name: string
  readonly type: 'TXT'
  readonly value: string
}

export interface DnsFinding {
  /** As `dmarc_missing`. */
  readonly code: string
  readonly severity: 'error' | 'warn' | 'info'
  /** For people. */
  readonly message: string
  readonly fix?: DnsRecord
}

/** A DKIM key at a selector. */
export interface DkimFacts {
  readonly selector: string
  readonly state: 'ok' | 'testing' | 'missing' | 'revoked' | 'weak' | 'invalid'
  readonly bits: number | null
}

/** What was found in DNS. */
export interface DomainFacts {
  readonly domain: string
  readonly policy: FoundPolicy
  readonly spf: SpfReading
  readonly dkim: readonly DkimFacts[]
  readonly hasMx: boolean
  /** Domains of other organisations that reports go to, and whether those agree. */
  readonly external: readonly { readonly domain: string; readonly isAllowed: boolean }[]
  /** Domains that reports go to and that take no mail. */
  readonly withoutMx: readonly string[]
  readonly mtaSts: 'ok' | 'missing' | 'invalid' | 'testing'
  readonly tlsRpt: 'ok' | 'missing' | 'invalid'
  readonly bimi: 'ok' | 'missing' | 'invalid'
  /** Names that no server answered for. */
  readonly failed: readonly string[]
}

/** What monitoring wants. */
export interface JudgeOptions {
  /** Where reports should go. */
  readonly reportAddress: string | null
}

/** The findings, errors first. */
export function judgeDomain(facts: DomainFacts, options: JudgeOptions): readonly DnsFinding[] {
  const findings = [
    ...judgeFailures(facts),
    ...judgeDmarc(facts, options),
    ...judgeReporting(facts, options),
    ...judgeSpf(facts),
    ...judgeDkim(facts),
    ...judgeTransport(facts)
  ]
  const order = { error: 0, warn: 1, info: 2 }
  return findings.sort((a, b) => order[a.severity] - order[b.severity])
}

function judgeFailures({ failed }: DomainFacts): DnsFinding[] {
  if (failed.length === 0) return []
  const names = failed.slice(0, 5).join(', ')
  return [finding('lookup_failed', 'warn', `No DNS server answered for ${names}.`)]
}

function judgeDmarc(
  { domain, policy }: DomainFacts,
  { reportAddress }: JudgeOptions
): DnsFinding[] {
  const [own] = policy.steps
  const rua = reportAddress === null ? '' : `; rua=mailto:${reportAddress}`
  const fix = { name: `_dmarc.${domain}`, type: 'TXT', value: `v=DMARC1; p=none${rua}` } as const
  if (own?.failed != null) return []
  if (own !== undefined && own.records.length > 1) {
    const message = `${domain} has ${own.records.length} DMARC records: receivers ignore all of them.`
    return [finding('dmarc_multiple', 'error', message)]
  }
  const [text] = own?.records ?? []
  const read = text === undefined ? undefined : readDmarcRecord(text)
  if (read !== undefined && 'problem' in read) {
    const message = `The DMARC record of ${domain} is invalid: ${read.problem}.`
    return [finding('dmarc_invalid', 'error', message, fix)]
  }
  const { record, at } = policy
  if (record === null || at === null) {
    return [finding('dmarc_missing', 'error', `${domain} has no DMARC record.`, fix)]
  }
  const found = record.faults.map(({ tag, problem }) =>
    finding(
      'dmarc_tag_invalid',
      tag === 'p' ? 'error' : 'warn',
      `The tag ${tag} of the DMARC record of ${at} is invalid: ${problem}.`
    )
  )
  if (at !== domain) {
    const message = `${domain} has no DMARC record: that of ${at} applies.`
    found.push(finding('inherits_org_policy', 'info', message))
  }
  const applied = at === domain ? record.p : (record.sp ?? record.p)
  if (applied === 'none') {
    const message = 'The policy is none: receivers report failing mail and deliver it.'
    found.push(finding('policy_none', 'info', message))
  }
  if (record.testing) {
    const message = 'The record says t=y: receivers apply the next weaker policy.'
    found.push(finding('policy_testing', 'info', message))
  }
  if (record.pct !== null && record.pct < 100) {
    const message = `The policy applies to ${record.pct} % of failing mail, and new receivers ignore pct.`
    found.push(finding('pct_partial', 'info', message))
  }
  return found
}

function judgeReporting(facts: DomainFacts, { reportAddress }: JudgeOptions): DnsFinding[] {
  const { domain, policy, external, withoutMx } = facts
  const { record, at } = policy
  if (record === null || at === null) return []
  const found: DnsFinding[] = []
  const wanted = reportAddress?.toLowerCase() ?? null
  const isMissing = wanted !== null && !record.rua.includes(wanted)
  const fix =
    wanted === null
      ? undefined
      : { name: `_dmarc.${at}`, type: 'TXT' as const, value: withReports(record.text, wanted) }
  if (record.rua.length === 0) {
    found.push(finding('rua_missing', 'error', 'The DMARC record asks for no reports.', fix))
  } else if (isMissing) {
    const message = `The DMARC record does not send reports to ${wanted}.`
    found.push(finding('rua_missing_report_address', 'error', message, fix))
  }
  for (const { domain: other } of external.filter(({ isAllowed }) => !isAllowed)) {
    const message = `${other} does not agree to take reports about ${domain}: receivers send it none.`
    const name = `${at}._report._dmarc.${other}`
    found.push(
      finding('external_auth_missing', 'error', message, { name, type: 'TXT', value: 'v=DMARC1' })
    )
  }
  for (const other of withoutMx) {
    const message = `Reports go to ${other}, which takes no mail.`
    found.push(finding('rua_domain_no_mx', 'error', message))
  }
  return found
}

/** The same record with one address more; size limits stay, and `mailto:` is added where it is missing. */
function withReports(text: string, address: string): string {
  const parts = text.split(';').map((part) => part.trim())
  const isRua = (part: string) => /^rua\s*=/i.test(part)
  const uris = (parts.find(isRua)?.replace(/^rua\s*=/i, '') ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '')
    .map((uri) => (/^[^\s:@]+@/.test(uri) ? `mailto:${uri}` : uri))
  const others = parts.filter((part) => part !== '' && !isRua(part))
  return [...others, `rua=${[...uris, `mailto:${address}`].join(',')}`].join('; ')
}

function judgeSpf({ domain, spf, hasMx }: DomainFacts): DnsFinding[] {
  if (spf.failed !== null) return []
  if (spf.records.length === 0) {
    const value = hasMx ? 'v=spf1 mx -all' : 'v=spf1 -all'
    const message = `${domain} has no SPF record.`
    return [finding('spf_missing', 'warn', message, { name: domain, type: 'TXT', value })]
  }
  if (spf.records.length > 1) {
    const message = `${domain} has ${spf.records.length} SPF records: receivers fail all its mail.`
    return [finding('spf_multiple', 'error', message)]
  }
  const found = spf.problems.map((problem) =>
    finding('spf_invalid', 'error', `The SPF record of ${domain} is invalid: ${problem}.`)
  )
  if (spf.lookups > MAX_LOOKUPS) {
    const message = `The SPF record needs ${spf.lookups} look-ups; receivers stop after ${MAX_LOOKUPS} and fail the mail.`
    found.push(finding('spf_too_many_lookups', 'error', message))
  }
  if (spf.voidLookups > MAX_VOID_LOOKUPS) {
    const message = `${spf.voidLookups} names of the SPF record do not exist; receivers allow ${MAX_VOID_LOOKUPS}.`
    found.push(finding('spf_void_lookups', 'error', message))
  }
  for (const remark of spf.remarks)
    found.push(finding('spf_discouraged', 'info', `In the SPF record of ${domain}, ${remark}.`))
  if (spf.all === '+' || spf.all === '?') {
    const message = `The SPF record ends with ${spf.all}all: every server may send for ${domain}.`
    found.push(finding('spf_permissive', 'warn', message))
  }
  return found
}

const DKIM_PROBLEMS = {
  testing: [
    'dkim_testing',
    'warn',
    'is in test mode (t=y): receivers treat its mail as if it were not signed'
  ],
  missing: ['dkim_missing', 'error', 'has no key'],
  revoked: ['dkim_revoked', 'error', 'has an empty key: it was revoked'],
  weak: ['dkim_weak_key', 'warn', 'has a key of less than 1024 bits, which receivers refuse'],
  invalid: ['dkim_invalid', 'error', 'has a key that cannot be read']
} as const

function judgeDkim({ dkim }: DomainFacts): DnsFinding[] {
  return dkim.flatMap(({ selector, state }) => {
    if (state === 'ok') return []
    const [code, severity, problem] = DKIM_PROBLEMS[state]
    return [finding(code, severity, `The DKIM selector ${selector} ${problem}.`)]
  })
}

function judgeTransport({
  domain,
  mtaSts,
  tlsRpt,
  bimi,
  hasMx,
  policy
}: DomainFacts): DnsFinding[] {
  const found: DnsFinding[] = []
  if (hasMx && mtaSts === 'missing') {
    found.push(finding('mta_sts_missing', 'info', `${domain} has no MTA-STS policy.`))
  }
  if (mtaSts === 'invalid') {
    found.push(finding('mta_sts_invalid', 'warn', `The MTA-STS policy of ${domain} is invalid.`))
  }
  if (mtaSts === 'testing') {
    found.push(finding('mta_sts_testing', 'info', `The MTA-STS policy of ${domain} only tests.`))
  }
  if (tlsRpt === 'invalid') {
    found.push(finding('tls_rpt_invalid', 'warn', `The TLS-RPT record of ${domain} is invalid.`))
  }
  if (hasMx && tlsRpt === 'missing') {
    found.push(finding('tls_rpt_missing', 'info', `${domain} asks for no TLS reports.`))
  }
  if (bimi === 'invalid') {
    found.push(finding('bimi_invalid', 'warn', `The BIMI record of ${domain} is invalid.`))
  }
  const isEnforced = policy.record?.p === 'reject' || policy.record?.p === 'quarantine'
  if (bimi === 'ok' && (!isEnforced || policy.record?.sp === 'none')) {
    const message = 'Logos (BIMI) are shown only under quarantine or reject, also for subdomains.'
    found.push(finding('bimi_policy', 'warn', message))
  }
  return found
}

function finding(
  code: string,
  severity: DnsFinding['severity'],
  message: string,
  fix?: DnsRecord
): DnsFinding {
  return { code, severity, message, ...(fix && { fix }) }
}
