// What is known of public block lists: how they are asked, tested, and what their codes mean.
import type { ConfiguredList } from './configured-list.ts'

/** What a listing says about its target. Only `reputation` is about mail that it sent. */
export type ListingCategory = 'reputation' | 'abused' | 'policy'

/** The meaning of a return code. */
export interface CodeMeaning {
  readonly meaning: string
  /** `refused`: the list answers about the query, not about the target. */
  readonly category: ListingCategory | 'refused'
}

/** How one list is asked and read. */
export interface ListProfile {
  /** Lists of registrable domains know nothing of their subdomains. */
  readonly asksRegistrable?: true
  /** Known to hold IPv6 addresses, whatever its IPv6 test entry says. */
  readonly holdsIpv6?: true
  /** Entries that are always listed, beside those of RFC 5782. */
  readonly testEntries?: readonly string[]
  readonly codes?: Readonly<Record<string, CodeMeaning>>
  /** The last byte is a sum of these. */
  readonly bits?: readonly (readonly [bit: number, meaning: CodeMeaning])[]
}

const reputation = (meaning: string): CodeMeaning => ({ meaning, category: 'reputation' })
const policy = (meaning: string): CodeMeaning => ({ meaning, category: 'policy' })
const abused = (meaning: string): CodeMeaning => ({ meaning, category: 'abused' })
const refused = (meaning: string): CodeMeaning => ({ meaning, category: 'refused' })

const EXPLOITED = reputation('XBL: an exploited or infected machine')

/** Rules by the zone of a list. */
const PROFILES: Readonly<Record<string, ListProfile>> = {
  'zen.spamhaus.org': {
    holdsIpv6: true,
    codes: {
      '127.0.0.2': reputation('SBL: a spam source'),
      '127.0.0.3': reputation('CSS: snowshoe spam or low-reputation mail'),
      '127.0.0.4': EXPLOITED,
      '127.0.0.5': EXPLOITED,
      '127.0.0.6': EXPLOITED,
      '127.0.0.7': EXPLOITED,
      '127.0.0.9': reputation('DROP: a network of criminals'),
      '127.0.0.10': policy('PBL: the network says that its addresses do not send mail directly'),
      '127.0.0.11': policy('PBL: an address range that should not send mail directly'),
      '127.0.0.30': reputation('BCL: a botnet controller')
    }
  },
  'dbl.spamhaus.org': {
    testEntries: ['dbltest.com'],
    codes: {
      '127.0.1.2': reputation('A spam domain'),
      '127.0.1.4': reputation('A phishing domain'),
      '127.0.1.5': reputation('A malware domain'),
      '127.0.1.6': reputation('A botnet controller domain'),
      '127.0.1.102': abused('A legitimate domain abused for spam'),
      '127.0.1.103': abused('A redirector abused for spam'),
      '127.0.1.104': abused('A legitimate domain abused for phishing'),
      '127.0.1.105': abused('A legitimate domain abused for malware'),
      '127.0.1.106': abused('A legitimate domain abused for botnet control'),
      '127.0.1.255': refused('An address was asked for, and the list holds only domains')
    }
  },
  'multi.surbl.org': {
    asksRegistrable: true,
    testEntries: ['test.surbl.org', 'surbl-org-permanent-test-point.com'],
    codes: { '127.0.0.1': refused('The list refuses queries of this resolver') },
    bits: [
      [4, reputation('DM: a disposable mail domain')],
      [8, reputation('PH: phishing')],
      [16, reputation('MW: malware')],
      [32, reputation('CT: clicks tracked for spam')],
      [64, reputation('ABUSE: spam')],
      [128, abused('CR: a cracked site')]
    ]
  },
  'multi.uribl.com': {
    asksRegistrable: true,
    testEntries: ['test.uribl.com'],
    codes: { '127.0.0.1': refused('The list refuses queries of this resolver') },
    bits: [
      [2, reputation('Black: seen in spam')],
      [4, policy('Grey: bulk mail that some recipients do not want')],
      [8, reputation('Red: found by automatic, experimental rules')]
    ]
  }
}

const PLAIN: ListProfile = {}

/** What is known of a list; an empty profile for the others. */
export function profileOf(host: string): ListProfile {
  return Object.hasOwn(PROFILES, host) ? (PROFILES[host] ?? PLAIN) : PLAIN
}

type DefaultList = Omit<ConfiguredList, 'kind'>

/** Asked without a setting. */
export const DEFAULT_DOMAIN_LISTS: readonly DefaultList[] = [
  { host: 'dbl.spamhaus.org', label: 'Spamhaus DBL' },
  { host: 'multi.surbl.org', label: 'SURBL' },
  { host: 'multi.uribl.com', label: 'URIBL' }
]

/** Asked without a setting. SORBS is not among them: it ended in June 2024. */
export const DEFAULT_IP_LISTS: readonly DefaultList[] = [
  { host: 'zen.spamhaus.org', label: 'Spamhaus ZEN' },
  { host: 'b.barracudacentral.org', label: 'Barracuda' },
  { host: 'bl.spamcop.net', label: 'SpamCop' },
  { host: 'psbl.surriel.com', label: 'PSBL' }
]
