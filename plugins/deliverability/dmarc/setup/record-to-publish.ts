// The DMARC record that `setup-dmarc` publishes, from its flags. Pure.

import { readDomain } from '../aggregate/read-values.ts'
import type { DnsRecord } from '../dns/judge-domain.ts'
import { registrableDomain } from '../registrable-domain.ts'

/** What was asked for, checked. */
export interface RecordRequest {
  readonly domains: readonly string[]
  readonly rua: readonly string[]
  readonly ruf: readonly string[]
  readonly policy: 'none' | 'quarantine' | 'reject'
  readonly pct: number
  readonly aspf: 'r' | 's'
  readonly adkim: 'r' | 's'
}

/** Flags as they were typed. */
export interface RecordFlags {
  readonly domain: readonly string[]
  readonly ruaMailbox: readonly string[]
  readonly rufMailbox: readonly string[]
  readonly policy: string
  readonly pct: string
  readonly aspf: string
  readonly adkim: string
}

const MAILBOX = /^[^\s@,;!]{1,64}@[^\s@,;!]+$/

/** The request, or what is wrong with the flags. */
export function readRequest(flags: RecordFlags): RecordRequest | { readonly wrongUse: string } {
  const { policy, aspf, adkim } = flags
  const domains = listOf(flags.domain).map((domain) => readDomain(domain))
  const rua = listOf(flags.ruaMailbox)
  const ruf = listOf(flags.rufMailbox)
  const pct = /^\d{1,3}$/.test(flags.pct) ? Number(flags.pct) : 0
  if (domains.length === 0) return { wrongUse: '--domain is missing.' }
  const known = domains.flatMap((domain) => domain ?? [])
  if (known.length < domains.length) return { wrongUse: '--domain must be a domain.' }
  if (rua.length === 0) return { wrongUse: '--rua-mailbox is missing.' }
  if (![...rua, ...ruf].every(isMailbox)) return { wrongUse: 'A mailbox must be a mail address.' }
  if (policy !== 'none' && policy !== 'quarantine' && policy !== 'reject') {
    return { wrongUse: '--policy must be none, quarantine or reject.' }
  }
  if (pct < 1 || pct > 100) return { wrongUse: '--pct must be a number from 1 to 100.' }
  if (!isMode(aspf) || !isMode(adkim)) return { wrongUse: '--aspf and --adkim must be r or s.' }
  return { domains: known, rua, ruf, policy, pct, aspf, adkim }
}

/** The records of all domains; values that are the default are left out. */
export function recordsFor(request: RecordRequest): readonly DnsRecord[] {
  const { rua, ruf, policy, pct, aspf, adkim } = request
  const addresses = (list: readonly string[]) => list.map((one) => `mailto:${one}`).join(',')
  const value = [
    'v=DMARC1',
    `p=${policy}`,
    `rua=${addresses(rua)}`,
    ...(ruf.length > 0 ? [`ruf=${addresses(ruf)}`] : []),
    ...(pct === 100 ? [] : [`pct=${pct}`]),
    ...(aspf === 'r' ? [] : ['aspf=s']),
    ...(adkim === 'r' ? [] : ['adkim=s'])
  ].join('; ')
  return request.domains.flatMap((domain): DnsRecord[] => [
    { name: `_dmarc.${domain}`, type: 'TXT', value },
    ...authorisations(domain, [...rua, ...ruf])
  ])
}

/** Mailboxes at another organisation: its domain must agree to take the reports (RFC 9990). */
function authorisations(domain: string, mailboxes: readonly string[]): DnsRecord[] {
  const hosts = mailboxes.map((one) => one.slice(one.lastIndexOf('@') + 1).toLowerCase())
  return [...new Set(hosts)]
    .filter((host) => registrableDomain(host) !== registrableDomain(domain))
    .map((host) => ({ name: `${domain}._report._dmarc.${host}`, type: 'TXT', value: 'v=DMARC1' }))
}

function listOf(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',').map((one) => one.trim())).filter(Boolean)
}

const isMailbox = (text: string) => MAILBOX.test(text) && readDomain(text.split('@')[1]) !== null
const isMode = (text: string): text is 'r' | 's' => text === 'r' || text === 's'
