// Asks for all records of a domain that decide about its mail.
import { createPublicKey } from 'node:crypto'
import type { Host } from '@keelson/sdk'
import { registrableDomain } from '../registrable-domain.ts'
import { readTags } from './dmarc-record.ts'
import type { Dns, DnsAnswer } from './dns-lookup.ts'
import type { DkimFacts, DomainFacts } from './judge-domain.ts'
import { readSpf } from './spf.ts'
import { isSpfRecord } from './spf-record.ts'
import { type FoundPolicy, findPolicy } from './tree-walk.ts'

export interface CheckOptions {
  readonly dns: Dns
  /** Fetches the MTA-STS policy. */
  readonly fetch: Host['fetchPublic']
  readonly selectors: readonly string[]
  readonly signal: AbortSignal
}

const MIN_BITS = 1024

/** Everything that `judgeDomain` looks at. */
export async function checkDomain(domain: string, options: CheckOptions): Promise<DomainFacts> {
  const { dns } = options
  const failed: string[] = []
  const watched = watch(dns, failed)
  const [policy, spf, mx, mtaSts, tlsRpt, bimi, dkim] = await Promise.all([
    findPolicy(watched, domain),
    readSpf(watched, domain),
    watched.mx(domain),
    checkMtaSts(watched, domain, options),
    checkTagged(watched, `_smtp._tls.${domain}`, { version: 'TLSRPTv1', needs: ['rua'] }),
    checkTagged(watched, `default._bimi.${domain}`, { version: 'BIMI1', needs: ['l'] }),
    Promise.all(options.selectors.map((selector) => checkDkim(watched, domain, selector)))
  ])
  return {
    domain,
    policy,
    spf,
    dkim,
    hasMx: takesMail(mx),
    ...(await checkReporting(watched, policy)),
    mtaSts,
    tlsRpt,
    bimi,
    failed: [...new Set(failed)]
  }
}

/** Notes the names that no server answered for. */
function watch(dns: Dns, failed: string[]): Dns {
  const noted =
    (ask: (name: string) => Promise<DnsAnswer<string>>) =>
    async (name: string): Promise<DnsAnswer<string>> => {
      const answer = await ask(name)
      if (answer.kind === 'failed') failed.push(name)
      return answer
    }
  const { txt, mx, addresses, names } = dns
  return { txt: noted(txt), mx: noted(mx), addresses: noted(addresses), names: noted(names) }
}

/** A null MX (RFC 7505) says that a domain takes no mail. */
const takesMail = (mx: DnsAnswer<string>): boolean =>
  mx.kind === 'found' && mx.values.some((host) => host !== '' && host !== '.')

async function checkReporting(
  dns: Dns,
  { at, record }: FoundPolicy
): Promise<Pick<DomainFacts, 'external' | 'withoutMx'>> {
  const hosts = (record?.rua ?? []).map((address) => address.slice(address.lastIndexOf('@') + 1))
  const domains = [...new Set(hosts)]
  const external: { domain: string; isAllowed: boolean }[] = []
  const withoutMx: string[] = []
  for (const domain of domains) {
    const mx = await dns.mx(domain)
    const address = mx.kind === 'absent' ? await dns.addresses(domain) : mx
    const isRefusing = mx.kind === 'found' && !takesMail(mx)
    if (address.kind === 'absent' || isRefusing) withoutMx.push(domain)
    if (at === null || registrableDomain(domain) === registrableDomain(at)) continue
    const answer = await dns.txt(`${at}._report._dmarc.${domain}`)
    const isAllowed =
      answer.kind === 'failed' ||
      (answer.kind === 'found' && answer.values.some((text) => /^v=DMARC1/i.test(text)))
    external.push({ domain, isAllowed })
  }
  return { external, withoutMx }
}

async function checkDkim(dns: Dns, domain: string, selector: string): Promise<DkimFacts> {
  const answer = await dns.txt(`${selector}._domainkey.${domain}`)
  if (answer.kind === 'failed') return { selector, state: 'ok', bits: null }
  const text =
    answer.kind === 'found' ? answer.values.find((one) => /(^|;)\s*p=/.test(one)) : undefined
  if (text === undefined) return { selector, state: 'missing', bits: null }
  return { selector, ...judgeKey(readTags(text)) }
}

/** What a DKIM key is worth. Pure. */
export function judgeKey(tags: ReadonlyMap<string, string>): Pick<DkimFacts, 'state' | 'bits'> {
  const judged = judgeBits(tags)
  // RFC 6376, 3.6.1: flags with colons between them.
  const isTesting = /(^|:)\s*y\s*(:|$)/i.test(tags.get('t') ?? '')
  return judged.state === 'ok' && isTesting ? { ...judged, state: 'testing' } : judged
}

function judgeBits(tags: ReadonlyMap<string, string>): Pick<DkimFacts, 'state' | 'bits'> {
  const key = tags.get('p')?.replace(/\s+/g, '') ?? ''
  if (key === '') return { state: 'revoked', bits: null }
  if (tags.get('k')?.toLowerCase() === 'ed25519') return { state: 'ok', bits: 256 }
  try {
    const der = Buffer.from(key, 'base64')
    const { asymmetricKeyDetails } = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const bits = asymmetricKeyDetails?.modulusLength ?? null
    return { state: bits !== null && bits < MIN_BITS ? 'weak' : 'ok', bits }
  } catch {
    return { state: 'invalid', bits: null }
  }
}

async function checkTagged(
  dns: Dns,
  name: string,
  { version, needs }: { readonly version: string; readonly needs: readonly string[] }
): Promise<'ok' | 'missing' | 'invalid'> {
  const answer = await dns.txt(name)
  if (answer.kind === 'failed') return 'ok'
  const found = answer.kind === 'found' ? answer.values.filter((text) => !isSpfRecord(text)) : []
  const records = found.map(readTags).filter((tags) => tags.get('v') === version)
  const [tags] = records
  if (tags === undefined) return 'missing'
  return records.length === 1 && needs.every((tag) => tags.has(tag)) ? 'ok' : 'invalid'
}

async function checkMtaSts(
  dns: Dns,
  domain: string,
  { fetch, signal }: CheckOptions
): Promise<DomainFacts['mtaSts']> {
  const needs = { version: 'STSv1', needs: ['id'] }
  const record = await checkTagged(dns, `_mta-sts.${domain}`, needs)
  if (record !== 'ok') return record
  try {
    const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`
    const answer = await fetch(url, { signal, redirect: 'error' })
    return answer.status === 200 ? judgeStsPolicy(await answer.text()) : 'invalid'
  } catch {
    // Senders that cannot read the policy act as if there were none.
    return 'invalid'
  }
}

/** What an MTA-STS policy file is worth (RFC 8461). Pure. */
export function judgeStsPolicy(text: string): 'ok' | 'invalid' | 'testing' {
  const fields = new Map(
    text.split(/\r?\n/).map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()] as const
    })
  )
  const mode = fields.get('mode')
  const isWhole =
    fields.get('version') === 'STSv1' && /^\d{1,10}$/.test(fields.get('max_age') ?? '')
  if (!isWhole || mode === undefined) return 'invalid'
  if (mode === 'none') return 'testing'
  if (!fields.has('mx')) return 'invalid'
  if (mode === 'testing') return 'testing'
  return mode === 'enforce' ? 'ok' : 'invalid'
}
