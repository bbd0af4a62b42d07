// SMTP TLS reports (RFC 8460) as their values. Pure.
import { type Static, Type } from '@keelson/sdk'
import { readAddress, readDomain, readText } from '../aggregate/read-values.ts'
import { errors } from '../errors.ts'

const string = Type.String()
const stringOrNull = Type.Union([string, Type.Null()])
const sessions = Type.Integer({ minimum: 0 })

/** Sessions that failed in one way. */
const tlsFailureSchema = Type.Object({
  resultType: Type.String({ description: 'As certificate-expired, starttls-not-supported.' }),
  failedSessionCount: sessions,
  sendingMtaIp: stringOrNull,
  receivingMxHostname: stringOrNull,
  receivingMxHelo: stringOrNull,
  receivingIp: stringOrNull,
  additionalInformation: stringOrNull,
  failureReasonCode: stringOrNull
})
export type TlsFailure = Static<typeof tlsFailureSchema>

/** The sessions under one policy. */
export const tlsPolicySchema = Type.Object({
  policyType: Type.String({ description: 'tlsa, sts or no-policy-found.' }),
  policyDomain: Type.Union([string, Type.Null()], {
    description: 'Null: the report names none, as with no-policy-found of some reporters.'
  }),
  policyString: Type.Array(string),
  mxHosts: Type.Array(string),
  successfulSessionCount: sessions,
  failedSessionCount: sessions,
  failures: Type.Array(tlsFailureSchema)
})
export type TlsPolicy = Static<typeof tlsPolicySchema>

export interface TlsReport {
  readonly reportId: string
  readonly organizationName: string
  readonly contactInfo: string | null
  readonly rangeStart: Date
  readonly rangeEnd: Date
  readonly policies: readonly TlsPolicy[]
  readonly totalSuccessfulSessionCount: number
  readonly totalFailureSessionCount: number
}

const MOST_POLICIES = 1_000
const MOST_FAILURES = 1_000
const MAX_TEXT = 2_048
const MAX_LIST = 100

type Fields = Readonly<Record<string, unknown>>

/** The report. @throws DMR_REPORT */
export function parseTlsReport(json: string): TlsReport {
  const fields = fieldsOf(parseJson(json))
  const reportId = text(fields['report-id'])
  const range = fieldsOf(fields['date-range'])
  const times = [time(range['start-datetime']), time(range['end-datetime'])]
  const policies = listOf(fields['policies'])
  if (reportId === null) throw invalid('report-id is missing')
  // Some reporters write the two the other way round.
  const [rangeStart, rangeEnd] = times.filter((one) => one !== null).sort((a, b) => +a - +b)
  if (rangeStart === undefined || rangeEnd === undefined) {
    throw invalid('date-range is missing or not a range of times')
  }
  if (policies.length === 0) throw invalid('policies is missing or empty')
  if (policies.length > MOST_POLICIES) throw invalid('it has too many policies')
  const read = policies.map(readTlsPolicy)
  return {
    reportId,
    organizationName: text(fields['organization-name']) ?? 'unknown',
    contactInfo: text(fields['contact-info']),
    rangeStart,
    rangeEnd,
    ...withSums(read)
  }
}

/** Policies and the sums of their sessions. */
export function withSums(policies: readonly TlsPolicy[]) {
  const sum = (key: 'successfulSessionCount' | 'failedSessionCount') =>
    policies.reduce((total, one) => total + one[key], 0)
  return {
    policies,
    totalSuccessfulSessionCount: sum('successfulSessionCount'),
    totalFailureSessionCount: sum('failedSessionCount')
  }
}

function readTlsPolicy(value: unknown, index: number): TlsPolicy {
  const fields = fieldsOf(value)
  const policy = fieldsOf(fields['policy'])
  const summary = fieldsOf(fields['summary'])
  const named = text(policy['policy-domain'])
  const policyDomain = readDomain(named ?? undefined)
  if (named !== null && policyDomain === null)
    throw invalid(`policies[${index}] has a policy-domain that is not a domain`)
  const failures = listOf(fields['failure-details'])
  if (failures.length > MOST_FAILURES) throw invalid(`policies[${index}] has too many failures`)
  return {
    policyType: text(policy['policy-type'])?.toLowerCase() ?? 'no-policy-found',
    policyDomain,
    policyString: texts(policy['policy-string']),
    // Reporters use both names.
    mxHosts: texts(policy['mx-host'] ?? policy['mx-host-pattern']),
    successfulSessionCount: count(summary['total-successful-session-count'], index),
    failedSessionCount: count(summary['total-failure-session-count'], index),
    failures: failures.map((failure) => readTlsFailure(failure, index))
  }
}

function readTlsFailure(value: unknown, index: number): TlsFailure {
  const fields = fieldsOf(value)
  const address = (key: string) => readAddress(text(fields[key]) ?? undefined)
  return {
    resultType: text(fields['result-type'])?.toLowerCase() ?? 'unknown',
    failedSessionCount: count(fields['failed-session-count'], index),
    sendingMtaIp: address('sending-mta-ip'),
    receivingMxHostname: text(fields['receiving-mx-hostname']),
    receivingMxHelo: text(fields['receiving-mx-helo']),
    receivingIp: address('receiving-ip'),
    additionalInformation:
      text(fields['additional-information']) ?? text(fields['additional-info-uri']),
    failureReasonCode: text(fields['failure-reason-code']) ?? text(fields['failure-error-code'])
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw errors.DMR_REPORT({ problem: 'it is not valid JSON', cause })
  }
}

/** No count means none; anything but a count is a mistake that no sum must hide. */
function count(value: unknown, index: number): number {
  if (value === undefined || value === null) return 0
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  const isCount = typeof number === 'number' && Number.isInteger(number) && number >= 0
  if (isCount && number <= 1e12) return number
  throw invalid(`policies[${index}] has a count that is not a number`)
}

function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? readText(value.slice(0, MAX_TEXT)) : null
}

function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.slice(0, MAX_LIST).flatMap((one) => text(one) ?? [])
}

function time(value: unknown): Date | null {
  const found = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(found) ? null : new Date(found)
}

function invalid(problem: string) {
  return errors.DMR_REPORT({ problem })
}
