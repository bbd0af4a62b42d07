// Follows an SPF record as receivers do (RFC 7208), and counts the look-ups that they allow.
import type { Dns } from './dns-lookup.ts'

export const MAX_LOOKUPS = 10
export const MAX_VOID_LOOKUPS = 2
/** Where following ends: the record is invalid long before. */
const MOST_FOLLOWED = 30

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
  /** What is wrong with it, as receivers see it. */
  readonly problems: readonly string[]
  readonly failed: string | null
}

interface Count {
  readonly dns: Dns
  readonly problems: string[]
  readonly path: readonly string[]
  lookups: number
  voidLookups: number
}

const TERM = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:[:/]|$)(.*)$/i
const MODIFIER = /^(redirect|exp|[a-z][a-z0-9._-]*)=(.*)$/i

/** Whether a TXT record is an SPF record. */
export const isSpfRecord = (text: string): boolean => /^v=spf1( |$)/i.test(text)

export async function readSpf(dns: Dns, domain: string): Promise<SpfReading> {
  const answer = await dns.txt(domain)
  const records = answer.kind === 'found' ? answer.values.filter(isSpfRecord) : []
  const count: Count = { dns, problems: [], path: [], lookups: 0, voidLookups: 0 }
  const [record] = records
  const isOne = records.length === 1 && record !== undefined
  const all = isOne ? await follow(count, domain, record, []) : null
  const failed = answer.kind === 'failed' ? answer.code : null
  const { lookups, voidLookups, problems } = count
  return { records, lookups, voidLookups, all, problems, failed }
}

/** @returns what the record says about all other senders */
async function follow(
  count: Count,
  domain: string,
  record: string,
  path: readonly string[]
): Promise<string | null> {
  let all: string | null = null
  let redirect: string | undefined
  for (const term of record.split(/\s+/).slice(1)) {
    if (term === '') continue
    const [, sign = '', name = '', rest = ''] = TERM.exec(term) ?? []
    if (name !== '') {
      if (name.toLowerCase() === 'all') all ??= sign === '' ? '+' : sign
      else await ask(count, domain, { name: name.toLowerCase(), rest }, path)
      continue
    }
    const [, modifier = '', value = ''] = MODIFIER.exec(term) ?? []
    if (modifier === '') count.problems.push(`the term "${term.slice(0, 60)}" is unknown`)
    if (modifier.toLowerCase() === 'redirect') redirect = value
  }
  // With `all` receivers ignore the redirect.
  if (all !== null || redirect === undefined) return all
  count.lookups++
  return into(count, domain, redirect, path)
}

async function ask(
  count: Count,
  domain: string,
  { name, rest }: { readonly name: string; readonly rest: string },
  path: readonly string[]
): Promise<void> {
  if (name === 'ip4' || name === 'ip6') return
  count.lookups++
  if (count.lookups > MOST_FOLLOWED) return
  const target = rest.split('/')[0] || domain
  if (name === 'include') {
    await into(count, domain, target, path)
    return
  }
  // What a macro becomes depends on the mail.
  if (target.includes('%') || name === 'ptr') return
  const answer = await (name === 'mx' ? count.dns.mx(target) : count.dns.addresses(target))
  if (answer.kind === 'absent' && name !== 'exists') count.voidLookups++
}

/** Follows an include or a redirect. */
async function into(
  count: Count,
  from: string,
  target: string,
  path: readonly string[]
): Promise<string | null> {
  const name = target.toLowerCase()
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
