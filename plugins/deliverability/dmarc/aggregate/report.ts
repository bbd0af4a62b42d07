// What an aggregate report says (RFC 7489 appendix C, RFC 9990): its head, and its records.

/** How a message came out of one check. */
export type AuthResult =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'temperror'
  | 'permerror'
  | 'none'
  | 'policy'
  | 'unknown'

export type DmarcPolicy = 'none' | 'quarantine' | 'reject'
/** `pass` is new in RFC 9990. */
export type Disposition = DmarcPolicy | 'pass'

/** The policy that the reporter found in DNS. Null: the report does not say. */
export interface PublishedPolicy {
  /** Lower case. */
  readonly domain: string
  readonly p: DmarcPolicy
  readonly sp: DmarcPolicy | null
  /** For subdomains that do not exist (RFC 9990). */
  readonly np: DmarcPolicy | null
  /** 0 to 100. Null since RFC 9990, which has `testing` in its place. */
  readonly pct: number | null
  /** `t=y` (RFC 9990): receivers apply the next weaker policy. */
  readonly testing: boolean
  readonly adkim: 'r' | 's' | null
  readonly aspf: 'r' | 's' | null
  readonly fo: string | null
  /** `psl` or `treewalk` (RFC 9990). */
  readonly discoveryMethod: string | null
}

/** Why a receiver did not do what the policy says. */
export interface OverrideReason {
  /** As `forwarded`, `mailing_list`, `local_policy`. */
  readonly type: string
  readonly comment: string | null
}

/** What DKIM said about one signature. */
export interface DkimAuth {
  readonly domain: string
  readonly selector: string | null
  readonly result: AuthResult
  readonly humanResult: string | null
}

/** What SPF said about one identity. */
export interface SpfAuth {
  readonly domain: string
  /** `mfrom` or `helo`. */
  readonly scope: string | null
  readonly result: AuthResult
  readonly humanResult: string | null
}

/** Messages with the same source and the same results. */
export interface AggregateRecord {
  /** Null when the report names no address here: the messages count, their source is unknown. */
  readonly sourceIp: string | null
  readonly count: number
  readonly disposition: Disposition
  /** Whether DKIM passed with an aligned domain. */
  readonly dkim: AuthResult
  /** Whether SPF passed with an aligned domain. */
  readonly spf: AuthResult
  /** Whether DMARC passed: either of the two. */
  readonly aligned: boolean
  readonly reasons: readonly OverrideReason[]
  readonly headerFrom: string | null
  readonly envelopeFrom: string | null
  readonly envelopeTo: string | null
  readonly dkimAuth: readonly DkimAuth[]
  readonly spfAuth: readonly SpfAuth[]
}

/** A report without its records. */
export interface AggregateReport {
  readonly reportId: string
  /** The organisation's name; the domain of its address where it has none. */
  readonly orgName: string
  readonly email: string | null
  readonly contact: string | null
  /** The reporter's software (RFC 9990). */
  readonly generator: string | null
  readonly rangeStart: Date
  readonly rangeEnd: Date
  /** What the reporter could not do. */
  readonly errors: readonly string[]
  readonly policy: PublishedPolicy
  /** Which of the two formats it has. */
  readonly format: 'rfc7489' | 'rfc9990'
  /** The report had invalid XML or bytes that were read as well as they can be. */
  readonly recovered: boolean
  readonly records: number
  readonly totalMessages: number
  readonly passCount: number
  readonly failCount: number
}
