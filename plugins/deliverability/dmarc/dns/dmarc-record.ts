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
  /** Values that receivers do not know, and tags that are there twice. */
  readonly faults: readonly TagFault[]
}

/** A tag whose value receivers ignore. */
export interface TagFault {
  readonly tag: string
  /** For people: what is wrong, and what receivers read instead. */
  readonly problem: string
}

const MOST_ADDRESSES = 20

/** Whether a TXT record means to be one. */
export function isDmarcRecord(text: string): boolean {
  return /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)
}

/** The records among TXT records. One that begins with a blank counts only where there is no other. */
export function dmarcRecordsOf(texts: readonly string[]): readonly string[] {
  const records = texts.filter(isDmarcRecord)
  const seen = records.filter((text) => text.startsWith('v'))
  return seen.length > 0 ? seen : records
}

/** The record; a problem where receivers ignore it. Unknown tags do not matter. */
export function readDmarcRecord(text: string): DmarcRecord | { readonly problem: string } {
  if (!text.startsWith('v'))
    return { problem: 'it begins with a blank, so receivers do not see it' }
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
    ruf: addressesOf(tags.get('ruf')),
    faults: faultsOf(text)
  }
}

const POLICIES = /^(none|quarantine|reject)$/i
const MODES = /^[rs]$/i

/** What each tag may be, and what receivers read where it is something else (RFC 7489, RFC 9989). */
const TAGS: Readonly<Record<string, { readonly is: RegExp; readonly but: string }>> = {
  p: { is: POLICIES, but: 'none, quarantine or reject; receivers read none' },
  sp: { is: POLICIES, but: 'none, quarantine or reject; receivers apply p' },
  np: { is: POLICIES, but: 'none, quarantine or reject; receivers apply sp or p' },
  pct: { is: /^(100|\d{1,2})$/, but: 'a number from 0 to 100; receivers read 100' },
  adkim: { is: MODES, but: 'r or s; receivers read r' },
  aspf: { is: MODES, but: 'r or s; receivers read r' },
  fo: {
    is: /^[01ds](\s*:\s*[01ds])*$/i,
    but: '0, 1, d or s, with colons between; receivers read 0'
  },
  t: { is: /^[yn]$/i, but: 'y or n; receivers read n' },
  psd: { is: /^[ynu]$/i, but: 'y, n or u; receivers read u' },
  ri: { is: /^\d{1,10}$/, but: 'a number of seconds; receivers read 86400' },
  rf: { is: /^afrf(\s*:\s*afrf)*$/i, but: 'afrf' }
}
const REPORT_URI = /^mailto:[^!\s,@]+@[^!\s,@]+(!\d+[kmgt]?)?$/i

/** Every value that receivers do not take, by its tag. Unknown tags are allowed. */
function faultsOf(text: string): readonly TagFault[] {
  const seen = new Set<string>()
  return text.split(';').flatMap((part): readonly TagFault[] => {
    if (part.trim() === '') return []
    const at = part.indexOf('=')
    if (at < 0) return [{ tag: part.trim().slice(0, 40), problem: 'it has no value' }]
    const tag = part.slice(0, at).trim().toLowerCase()
    if (seen.has(tag)) return [{ tag, problem: 'it is there twice; the first counts' }]
    seen.add(tag)
    return valueFaults(tag, part.slice(at + 1).trim())
  })
}

function valueFaults(tag: string, value: string): readonly TagFault[] {
  if (tag === 'rua' || tag === 'ruf') {
    const wrong = value
      .split(',')
      .map((uri) => uri.trim())
      .filter((uri) => !REPORT_URI.test(uri))
    return wrong.map((uri) => ({
      tag,
      problem: `"${uri.slice(0, 80)}" must be mailto: with an address; receivers send no reports there`
    }))
  }
  const rule = Object.hasOwn(TAGS, tag) ? TAGS[tag] : undefined
  if (rule === undefined || rule.is.test(value)) return []
  return [{ tag, problem: `"${value.slice(0, 80)}" must be ${rule.but}` }]
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
