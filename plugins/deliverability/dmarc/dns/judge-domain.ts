// What is wrong with the records of a domain, and the record that mends it. Pure.

import type { Said, Sentence } from '@keelson/sdk'
import { readDmarcRecord } from './dmarc-record.ts'
import { say } from './sentences.ts'
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
  /** The sentence by its code. Checks that older versions stored have none. */
  readonly said?: Said
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
  return [finding('warn', say('dns.lookup_failed', { names }))]
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
    const count = own.records.length
    return [finding('error', say('dns.dmarc_multiple', { domain, count }))]
  }
  const [text] = own?.records ?? []
  const read = text === undefined ? undefined : readDmarcRecord(text)
  if (read !== undefined && 'problem' in read) {
    const { problem } = read
    return [finding('error', say('dns.dmarc_invalid', { domain, problem }), fix)]
  }
  const { record, at } = policy
  if (record === null || at === null) {
    return [finding('error', say('dns.dmarc_missing', { domain }), fix)]
  }
  const found = record.faults.map(({ tag, problem }) =>
    finding(tag === 'p' ? 'error' : 'warn', say('dns.dmarc_tag_invalid', { tag, at, problem }))
  )
  if (at !== domain) {
    found.push(finding('info', say('dns.inherits_org_policy', { domain, at })))
  }
  const applied = at === domain ? record.p : (record.sp ?? record.p)
  if (applied === 'none') {
    found.push(finding('info', say('dns.policy_none')))
  }
  if (record.testing) {
    found.push(finding('info', say('dns.policy_testing')))
  }
  if (record.pct !== null && record.pct < 100) {
    found.push(finding('info', say('dns.pct_partial', { pct: record.pct })))
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
    found.push(finding('error', say('dns.rua_missing'), fix))
  } else if (isMissing) {
    found.push(finding('error', say('dns.rua_missing_report_address', { wanted }), fix))
  }
  for (const { domain: other } of external.filter(({ isAllowed }) => !isAllowed)) {
    const name = `${at}._report._dmarc.${other}`
    const record = { name, type: 'TXT', value: 'v=DMARC1' } as const
    found.push(finding('error', say('dns.external_auth_missing', { other, domain }), record))
  }
  for (const other of withoutMx) {
    found.push(finding('error', say('dns.rua_domain_no_mx', { other })))
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
    const record = { name: domain, type: 'TXT', value } as const
    return [finding('warn', say('dns.spf_missing', { domain }), record)]
  }
  if (spf.records.length > 1) {
    return [finding('error', say('dns.spf_multiple', { domain, count: spf.records.length }))]
  }
  const found = spf.problems.map((problem) =>
    finding('error', say('dns.spf_invalid', { domain, problem }))
  )
  if (spf.lookups > MAX_LOOKUPS) {
    const facts = { lookups: spf.lookups, most: MAX_LOOKUPS }
    found.push(finding('error', say('dns.spf_too_many_lookups', facts)))
  }
  if (spf.voidLookups > MAX_VOID_LOOKUPS) {
    const facts = { lookups: spf.voidLookups, most: MAX_VOID_LOOKUPS }
    found.push(finding('error', say('dns.spf_void_lookups', facts)))
  }
  for (const remark of spf.remarks)
    found.push(finding('info', say('dns.spf_discouraged', { domain, remark })))
  if (spf.all === '+' || spf.all === '?') {
    found.push(finding('warn', say('dns.spf_permissive', { all: spf.all, domain })))
  }
  return found
}

const DKIM_FINDINGS = {
  testing: ['dns.dkim_testing', 'warn'],
  missing: ['dns.dkim_missing', 'error'],
  revoked: ['dns.dkim_revoked', 'error'],
  weak: ['dns.dkim_weak_key', 'warn'],
  invalid: ['dns.dkim_invalid', 'error']
} as const

function judgeDkim({ dkim }: DomainFacts): DnsFinding[] {
  return dkim.flatMap(({ selector, state }) => {
    if (state === 'ok') return []
    const [code, severity] = DKIM_FINDINGS[state]
    return [finding(severity, say(code, { selector }))]
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
    found.push(finding('info', say('dns.mta_sts_missing', { domain })))
  }
  if (mtaSts === 'invalid') {
    found.push(finding('warn', say('dns.mta_sts_invalid', { domain })))
  }
  if (mtaSts === 'testing') {
    found.push(finding('info', say('dns.mta_sts_testing', { domain })))
  }
  if (tlsRpt === 'invalid') {
    found.push(finding('warn', say('dns.tls_rpt_invalid', { domain })))
  }
  if (hasMx && tlsRpt === 'missing') {
    found.push(finding('info', say('dns.tls_rpt_missing', { domain })))
  }
  if (bimi === 'invalid') {
    found.push(finding('warn', say('dns.bimi_invalid', { domain })))
  }
  const isEnforced = policy.record?.p === 'reject' || policy.record?.p === 'quarantine'
  if (bimi === 'ok' && (!isEnforced || policy.record?.sp === 'none')) {
    found.push(finding('warn', say('dns.bimi_policy')))
  }
  return found
}

function finding(
  severity: DnsFinding['severity'],
  { message, said }: Sentence,
  fix?: DnsRecord
): DnsFinding {
  const code = said[0]?.code.replace('dns.', '') ?? ''
  return { code, severity, message, said, ...(fix && { fix }) }
}
