// The requirements that DNS records answer: SPF, DKIM, DMARC, TLS reports. Pure.
import { hintOf, joinSentences } from '@keelson/sdk'
import type { DnsFinding } from '../dns/judge-domain.ts'
import type { DnsCheckRow } from '../storage/rows.ts'
import { ALL, type ReadinessItem, type ReadinessState } from './readiness-item.ts'
import { say } from './sentences.ts'

const GOOD_BITS = 2048
const SIGN_UP = say('dkim.signUp')

/** One item each; all `unknown` before the first check. */
export function judgeDns(check: DnsCheckRow | null): readonly ReadinessItem[] {
  return [judgeSpf(check), judgeDkim(check), judgeDmarc(check), judgeTlsReports(check)]
}

const unchecked = {
  state: 'unknown',
  ...say('ready.unchecked'),
  ...hintOf(say('ready.check'))
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
): Pick<ReadinessItem, 'state' | 'message' | 'said' | 'fix'> | undefined {
  const found = findings.filter(({ code, severity }) => severity !== 'info' && isOne(code))
  const worst = found.find(({ severity }) => severity === 'error') ?? found[0]
  if (worst === undefined) return undefined
  const { message, said, severity, fix } = worst
  return { state: STATES[severity], message, ...(said && { said }), ...(fix && { fix }) }
}

function judgeSpf(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'spf', label: 'SPF', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const worst = worstOf(check, (code) => code.startsWith('spf_'))
  if (worst?.fix !== undefined) {
    return { ...head, ...worst, state: 'failed', ...hintOf(say('spf.publish')) }
  }
  if (worst !== undefined) {
    return { ...head, ...worst, ...hintOf(say('spf.correct')) }
  }
  return { ...head, state: 'met', ...say('spf.found', { lookups: check.spf.lookups }) }
}

function judgeDkim(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'dkim', label: 'DKIM', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const good = check.dkim.filter(({ state }) => state === 'ok')
  const worst = worstOf(check, (code) => code.startsWith('dkim_'))
  if (worst !== undefined) {
    const state = good.length > 0 ? 'warn' : worst.state
    return { ...head, ...worst, state, ...hintOf(SIGN_UP) }
  }
  const [first] = good
  if (first === undefined) {
    const hint = hintOf(joinSentences([SIGN_UP, say('dkim.list')]))
    return { ...head, state: 'unknown', ...say('dkim.noSelector'), ...hint }
  }
  const { selector, bits } = first
  const found =
    bits === null
      ? say('dkim.selector', { selector })
      : say('dkim.selectorBits', { selector, bits: String(bits) })
  const isShort = bits !== null && bits !== 256 && bits < GOOD_BITS
  if (!isShort) return { ...head, state: 'met', ...found }
  return { ...head, state: 'warn', ...found, ...hintOf(say('dkim.longer')) }
}

function judgeDmarc(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'dmarc', label: 'DMARC', requiredBy: ALL }
  if (check === null) return { ...head, ...unchecked }
  const isOne = (code: string) => code.startsWith('dmarc_') || code.startsWith('rua_')
  const worst = worstOf(check, isOne)
  if (worst === undefined) {
    return { ...head, state: 'met', ...say('dmarc.foundAt', { at: check.recordAt ?? check._id }) }
  }
  // Receivers ask for a record; reports are for us.
  const state = check.record === null ? worst.state : 'warn'
  const hint = say(worst.fix === undefined ? 'dmarc.correct' : 'ready.publish')
  return { ...head, ...worst, state, ...hintOf(hint) }
}

function judgeTlsReports(check: DnsCheckRow | null): ReadinessItem {
  const head = { id: 'tls_rpt', label: 'TLS reports', requiredBy: [] }
  if (check === null) return { ...head, ...unchecked }
  if (check.tlsRpt === 'ok') return { ...head, state: 'met', ...say('tlsRpt.found') }
  const found = say(check.tlsRpt === 'missing' ? 'tlsRpt.none' : 'tlsRpt.wrong')
  const fix = {
    name: `_smtp._tls.${check._id}`,
    type: 'TXT',
    value: `v=TLSRPTv1; rua=mailto:postmaster@${check._id}`
  } as const
  return { ...head, state: 'warn', ...found, ...hintOf(say('ready.publish')), fix }
}
