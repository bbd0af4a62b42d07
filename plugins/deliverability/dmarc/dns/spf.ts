// Follows an SPF record as receivers do (RFC 7208), and counts the look-ups that they allow.
import type { Dns } from './dns-lookup.ts'
import { isSpfRecord, type ParsedSpf, parseSpf, type SpfTerm } from './spf-record.ts'

export const MAX_LOOKUPS = 10
export const MAX_VOID_LOOKUPS = 2
/** Names that `mx` may bring (section 4.6.4). */
const MAX_MX_NAMES = 10
/** Where following ends: the record is invalid long before. */
const MOST_FOLLOWED = 30
/** Mechanisms that make receivers ask DNS. */
const ASKING = new Set(['include', 'a', 'mx', 'ptr', 'exists'])

/** What an SPF record costs and allows. */
export interface SpfReading {
  /** SPF records at the domain; one is right. */
  readonly records: readonly string[]
  /** Mechanisms that make receivers ask DNS. */
  readonly lookups: number
  /** Questions without an answer. */
  readonly voidLookups: number
  /** What the record says about all other senders: `-`, `~`, `?`, `+`; null when it says nothing. */
  readonly all: string | null
  /** What makes receivers fail all mail (`permerror`), with the place in the record. */
  readonly problems: readonly string[]
  /** What is discouraged or without effect. */
  readonly remarks: readonly string[]
  readonly failed: string | null
}

interface Count {
  readonly dns: Dns
  readonly problems: string[]
  readonly remarks: string[]
  lookups: number
  voidLookups: number
}

export async function readSpf(dns: Dns, domain: string): Promise<SpfReading> {
  const answer = await dns.txt(domain)
  const records = answer.kind === 'found' ? answer.values.filter(isSpfRecord) : []
  const count: Count = { dns, problems: [], remarks: [], lookups: 0, voidLookups: 0 }
  const [record] = records
  const isOne = records.length === 1 && record !== undefined
  const all = isOne ? await follow(count, domain.toLowerCase(), record, []) : null
  const failed = answer.kind === 'failed' ? answer.code : null
  const { lookups, voidLookups, problems, remarks } = count
  return { records, lookups, voidLookups, all, problems, remarks, failed }
}

/** @returns what the record says about all other senders */
async function follow(
  count: Count,
  domain: string,
  record: string,
  path: readonly string[]
): Promise<string | null> {
  const parsed = parseSpf(record)
  const { terms, faults } = parsed
  const where = path.length === 0 ? '' : ` in the record of ${domain}`
  for (const { at, text, problem } of faults)
    count.problems.push(`"${text.slice(0, 60)}" at character ${at}${where}: ${problem}`)
  if (path.length === 0) count.remarks.push(...remarksOf(parsed))
  const end = terms.findIndex(({ name }) => name === 'all')
  // What follows `all` is not looked at, and with it the redirect is ignored.
  const asked = terms.slice(0, end < 0 ? terms.length : end)
  for (const term of asked) if (ASKING.has(term.name)) await ask(count, domain, term, path)
  if (end >= 0) return terms[end]?.sign ?? null
  const redirect = terms.find(({ name, isModifier }) => isModifier && name === 'redirect')
  if (redirect === undefined) return null
  count.lookups++
  return into(count, domain, redirect.value, path)
}

function remarksOf({ terms }: ParsedSpf): readonly string[] {
  const end = terms.findIndex(({ name }) => name === 'all')
  const after = end < 0 ? [] : terms.slice(end + 1).filter(({ name }) => name !== 'exp')
  return [
    ...terms
      .filter(({ name }) => name === 'ptr')
      .map(({ at }) => `"ptr" at character ${at} is slow and deprecated (RFC 7208, 5.5)`),
    ...after.map(
      ({ text, at }) => `"${text.slice(0, 60)}" at character ${at} follows all and has no effect`
    )
  ]
}

async function ask(
  count: Count,
  domain: string,
  { name, value }: SpfTerm,
  path: readonly string[]
): Promise<void> {
  count.lookups++
  if (count.lookups > MOST_FOLLOWED) return
  const target = value || domain
  if (name === 'include') {
    await into(count, domain, target, path)
    return
  }
  // What a macro becomes depends on the mail.
  if (target.includes('%') || name === 'ptr') return
  const answer = await (name === 'mx' ? count.dns.mx(target) : count.dns.addresses(target))
  if (answer.kind === 'absent' && name !== 'exists') count.voidLookups++
  if (name === 'mx' && answer.kind === 'found' && answer.values.length > MAX_MX_NAMES)
    count.problems.push(
      `${target} has ${answer.values.length} MX names, and receivers look at ${MAX_MX_NAMES}`
    )
}

/** Follows an include or a redirect. */
async function into(
  count: Count,
  from: string,
  target: string,
  path: readonly string[]
): Promise<string | null> {
  const name = target.toLowerCase().replace(/\.$/, '')
  if (name.includes('%') || count.lookups > MOST_FOLLOWED) return null
  if (name === from || path.includes(name)) {
    count.problems.push(`${name} includes itself`)
    return null
  }
  const answer = await count.dns.txt(name)
  if (answer.kind === 'absent') count.voidLookups++
  const records = answer.kind === 'found' ? answer.values.filter(isSpfRecord) : []
  const [record] = records
  if (record === undefined || records.length > 1) {
    if (answer.kind !== 'failed') count.problems.push(`${name} has ${records.length} SPF records`)
    return null
  }
  return follow(count, name, record, [...path, from])
}
