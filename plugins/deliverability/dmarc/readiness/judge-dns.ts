// The requirements that DNS records answer: SPF, DKIM, DMARC, TLS reports. Pure.
import type { DnsFinding } from '../dns/judge-domain.ts'
import type { DnsCheckRow } from '../storage/rows.ts'
import { ALL, type ReadinessItem, type ReadinessState } from './readiness-item.ts'

const GOOD_BITS = 2048
const SIGN_UP =
  'Authenticate the domain at your mail provider and publish the DKIM records that it shows; for SendGrid run npx keelson mailer setup-sendgrid.'

/** One item each; all `unknown` before the first check. */
export function judgeDns(check: DnsCheckRow | null): readonly ReadinessItem[] {
  return [judgeSpf(check), judgeDkim(check), judgeDmarc(check), judgeTlsReports(check)]
}

const unchecked = {
  state: 'unknown',
  message: 'The DNS records were not checked yet.',
  hint: 'Check the DNS records.'
} as const

const STATES: Readonly<Record<DnsFinding['severity'], ReadinessState>> = {
  error: 'failed',
  warn: 'warn',
  info: 'met'
}

/** The gravest finding of a group that needs work, as an item has it. */
function worstOf(
  { findings }: DnsCheckRow,
  isOne: (code: string) => boolean
): Pick<ReadinessItem, 'state' | 'message' | 'fix'> | undefined {
  const found = findings.filter(({ code, severity }) => severity !== 'info' && isOne(code))
  const worst = found.find(({ severity }) => severity === 'error') ?? found[0]
  if (worst === undefined) return undefined
  const { message, severity, fix } = worst
  return { state: STATES[severity], message, ...(fix && { fix }) }
}

function judgeSpf(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'spf', label: 'SPF', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const worst = worstOf(check, (code) => code.startsWith('spf_'))
  if (worst?.fix !== undefined) {
    const hint = 'Publish the record, with the include of your mail provider in it.'
    return { ...head, ...worst, state: 'failed', hint }
  }
  if (worst !== undefined) {
    return { ...head, ...worst, hint: 'Correct the SPF record at your DNS host.' }
  }
  return { ...head, state: 'met', message: `Found, ${check.spf.lookups} of 10 look-ups.` }
}

function judgeDkim(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'dkim', label: 'DKIM', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const good = check.dkim.filter(({ state }) => state === 'ok')
  const worst = worstOf(check, (code) => code.startsWith('dkim_'))
  if (worst !== undefined) {
    const state = good.length > 0 ? 'warn' : worst.state
    return { ...head, ...worst, state, hint: SIGN_UP }
  }
  const [first] = good
  if (first === undefined) {
    const message = 'No DKIM selector is known: none is set, and no report names one.'
    return {
      ...head,
      state: 'unknown',
      message,
      hint: `${SIGN_UP} Then list them in dkimSelectors.`
    }
  }
  const { selector, bits } = first
  const message = bits === null ? `Selector ${selector}.` : `Selector ${selector}, ${bits} bits.`
  const isShort = bits !== null && bits !== 256 && bits < GOOD_BITS
  if (!isShort) return { ...head, state: 'met', message }
  return { ...head, state: 'warn', message, hint: 'Use a DKIM key of 2048 bits.' }
}

function judgeDmarc(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'dmarc', label: 'DMARC', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const isOne = (code: string) => code.startsWith('dmarc_') || code.startsWith('rua_')
  const worst = worstOf(check, isOne)
  if (worst === undefined) {
    return { ...head, state: 'met', message: `Found at _dmarc.${check.recordAt ?? check._id}.` }
  }
  // Receivers ask for a record; reports are for us.
  const state = check.record === null ? worst.state : 'warn'
  const hint =
    worst.fix === undefined
      ? 'Correct the DMARC record at your DNS host.'
      : 'Publish the record at your DNS host.'
  return { ...head, ...worst, state, hint }
}

function judgeTlsReports(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'tls_rpt', label: 'TLS reports', requiredBy: [] }
  if (check === null) return { ...head, ...unchecked }
  if (check.tlsRpt === 'ok') return { ...head, state: 'met', message: 'A TLS-RPT record is there.' }
  const message =
    check.tlsRpt === 'missing' ? 'No TLS-RPT record found.' : 'The TLS-RPT record is invalid.'
  const fix = {
    name: `_smtp._tls.${check._id}`,
    type: 'TXT',
    value: `v=TLSRPTv1; rua=mailto:postmaster@${check._id}`
  } as const
  return { ...head, state: 'warn', message, hint: 'Publish the record at your DNS host.', fix }
}
