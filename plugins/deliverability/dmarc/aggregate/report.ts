// What an aggregate report says (RFC 7489 appendix C, RFC 9990): its head, and its records.
import { type Static, Type, text } from '@keelson/sdk'

/** How a message came out of one check. */
export const AUTH_RESULTS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'temperror',
  'permerror',
  'none',
  'policy',
  'unknown'
] as const
export type AuthResult = (typeof AUTH_RESULTS)[number]

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

const textOrNull = Type.Union([text, Type.Null()])
const result = Type.Enum([...AUTH_RESULTS])

/** Why a receiver did not do what the policy says: `forwarded`, `mailing_list`, `local_policy`. */
const reasonSchema = Type.Object({ type: text, comment: textOrNull })

/** What DKIM said about one signature. */
const dkimAuthSchema = Type.Object({
  domain: text,
  selector: textOrNull,
  result,
  humanResult: textOrNull
})

/** What SPF said about one identity: `mfrom` or `helo`. */
const spfAuthSchema = Type.Object({
  domain: text,
  scope: textOrNull,
  result,
  humanResult: textOrNull
})

/** Messages with the same source and the same results. */
export const recordSchema = Type.Object({
  sourceIp: Type.Union([text, Type.Null()], {
    description:
      'Null: the report names no address here. The messages count, their source is unknown.'
  }),
  count: Type.Integer({ minimum: 0 }),
  disposition: Type.Enum(['none', 'quarantine', 'reject', 'pass']),
  dkim: Type.Enum([...AUTH_RESULTS], {
    description: 'Whether DKIM passed with an aligned domain.'
  }),
  spf: Type.Enum([...AUTH_RESULTS], { description: 'Whether SPF passed with an aligned domain.' }),
  aligned: Type.Boolean({ description: 'Whether DMARC passed: either of the two.' }),
  reasons: Type.Array(reasonSchema),
  headerFrom: textOrNull,
  envelopeFrom: textOrNull,
  envelopeTo: textOrNull,
  dkimAuth: Type.Array(dkimAuthSchema),
  spfAuth: Type.Array(spfAuthSchema)
})
export type AggregateRecord = Readonly<Static<typeof recordSchema>>
export type OverrideReason = Static<typeof reasonSchema>
export type DkimAuth = Static<typeof dkimAuthSchema>
export type SpfAuth = Static<typeof spfAuthSchema>

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
