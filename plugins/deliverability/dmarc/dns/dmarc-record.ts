// A DMARC record as its tags (RFC 7489, RFC 9989). Pure.
import { readPercent, readPolicy } from '../aggregate/read-values.ts'
import type { DmarcPolicy } from '../aggregate/report.ts'

export interface DmarcRecord {
  /** As published. */
  readonly text: string
  readonly p: DmarcPolicy
  readonly sp: DmarcPolicy | null
  readonly np: DmarcPolicy | null
  /** Null when the record has none. */
  readonly pct: number | null
  /** `t=y`: receivers apply the next weaker policy. */
  readonly testing: boolean
  /** Whether this is a public suffix, as a registry says. */
  readonly psd: 'y' | 'n' | 'u'
  /** Addresses for aggregate reports, without `mailto:`. */
  readonly rua: readonly string[]
  readonly ruf: readonly string[]
}

const MOST_ADDRESSES = 20

/** Whether a TXT record means to be one. */
export function isDmarcRecord(text: string): boolean {
  return /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)
}

/** The record; a problem where receivers ignore it. Unknown tags do not matter. */
export function readDmarcRecord(text: string): DmarcRecord | { readonly problem: string } {
  const tags = readTags(text)
  const rua = addressesOf(tags.get('rua'))
  const p = readPolicy(tags.get('p'))
  // Without a policy a record that asks for reports counts as none.
  if (p === null && rua.length === 0) {
    return { problem: tags.has('p') ? 'p must be none, quarantine or reject' : 'p is missing' }
  }
  const psd = tags.get('psd')?.toLowerCase()
  return {
    text,
    p: p ?? 'none',
    sp: readPolicy(tags.get('sp')),
    np: readPolicy(tags.get('np')),
    pct: readPercent(tags.get('pct')),
    testing: tags.get('t')?.toLowerCase() === 'y',
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    rua,
    ruf: addressesOf(tags.get('ruf'))
  }
}

/** The tags of `name=value; …` records; the first of a name counts. */
export function readTags(text: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim().toLowerCase()
    if (name !== '' && !tags.has(name)) tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}

function addressesOf(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((uri) => /^\s*mailto:([^!\s]+@[^!\s]+)/i.exec(uri)?.[1]?.toLowerCase() ?? '')
    .filter((address) => address !== '')
    .slice(0, MOST_ADDRESSES)
}
