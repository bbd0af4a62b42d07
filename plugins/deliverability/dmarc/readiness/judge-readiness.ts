// What Gmail, Yahoo and Outlook require of bulk senders, checked for one domain. Pure.
import type { SenderFacts } from '@keelson/mailer/contracts'
import { hintOf } from '@keelson/sdk'
import type { DnsCheckRow } from '../storage/rows.ts'
import { judgeDns } from './judge-dns.ts'
import { ALL, type ReadinessItem, type ReadinessState, type Receiver } from './readiness-item.ts'
import { say } from './sentences.ts'

/** Everything that is known about a domain. */
export interface ReadinessFacts {
  readonly domain: string
  /** The newest DNS check; null before the first. */
  readonly check: DnsCheckRow | null
  /** Of the DMARC reports that arrived; null without any. */
  readonly alignment: { readonly messages: number; readonly passed: number } | null
  /** From other plugins, the first that knows a fact wins. */
  readonly facts: Partial<SenderFacts>
}

/** The checklist of a domain. */
export interface Readiness {
  readonly domain: string
  readonly state: ReadinessState
  readonly items: readonly ReadinessItem[]
}

const GMAIL_YAHOO: readonly Receiver[] = ['gmail', 'yahoo']

/** Spam reports: above the first Gmail warns, from the second on it refuses relief. */
const SPAM_WARN = 0.001
const SPAM_LIMIT = 0.003
/** Less aligned mail than this means that a sender is set up wrong. */
const ALIGNED = 0.98
/** Fewer mails say nothing. */
const ENOUGH = 100
const ENCRYPTED = 0.99

const RANK: Readonly<Record<ReadinessState, number>> = { failed: 0, warn: 1, unknown: 2, met: 3 }

/** Judges all requirements; those that need work come first. */
export function judgeReadiness(given: ReadinessFacts): Readiness {
  const items = [
    ...judgeDns(given.check),
    judgeAlignment(given),
    judgeTls(given.facts),
    judgeOneClick(given.facts),
    judgeReverseDns(given),
    judgeSpam(given.facts),
    judgeComplaints(given.facts)
  ].sort((a, b) => RANK[a.state] - RANK[b.state])
  const required = items.filter(({ requiredBy }) => requiredBy.length > 0)
  const states = new Set(required.map(({ state }) => state))
  const state = (['failed', 'warn', 'unknown'] as const).find((one) => states.has(one)) ?? 'met'
  return { domain: given.domain, state, items }
}

const percent = (rate: number): number => Number((rate * 100).toFixed(2))

function judgeAlignment({ alignment }: ReadinessFacts): ReadinessItem {
  const head = { id: 'alignment', label: 'From address', requiredBy: ALL }
  if (alignment === null || alignment.messages < ENOUGH) {
    return {
      ...head,
      state: 'unknown',
      ...say('aligned.few'),
      ...hintOf(say('aligned.publish'))
    }
  }
  const rate = alignment.passed / alignment.messages
  const found = say('aligned.rate', { rate: percent(rate) })
  if (rate >= ALIGNED) return { ...head, state: 'met', ...found }
  return { ...head, state: 'warn', ...found, ...hintOf(say('aligned.label')) }
}

function judgeTls({ encryptedRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'tls', label: 'TLS', requiredBy: ['gmail'] as const }
  if (encryptedRate === undefined) {
    return {
      ...head,
      state: 'unknown',
      ...say('tls.unknown'),
      ...hintOf(say('ready.connectGmail'))
    }
  }
  const { rate, receiver } = encryptedRate
  const found = say('tls.rate', { rate: percent(rate), receiver })
  if (rate >= ENCRYPTED) return { ...head, state: 'met', ...found }
  return { ...head, state: 'failed', ...found, ...hintOf(say('tls.turnOn')) }
}

function judgeOneClick({ oneClick }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'one_click', label: 'One-click unsubscribe', requiredBy: GMAIL_YAHOO }
  if (oneClick === undefined) return { ...head, state: 'met', ...say('oneClick.added') }
  const { isMet, receiver } = oneClick
  if (isMet) return { ...head, state: 'met', ...say('oneClick.met', { receiver }) }
  const found = say('oneClick.failed', { receiver })
  return { ...head, state: 'failed', ...found, ...hintOf(say('oneClick.mend')) }
}

function judgeReverseDns({ check, facts }: ReadinessFacts): ReadinessItem {
  const head = { id: 'reverse_dns', label: 'Reverse DNS', requiredBy: GMAIL_YAHOO }
  const known = check?.reverse ?? []
  if (known.length === 0) {
    const isNamed = (facts.sendingIps?.length ?? 0) > 0
    const found = say(isNamed ? 'reverse.unchecked' : 'reverse.noAddress')
    return {
      ...head,
      state: 'unknown',
      ...found,
      ...hintOf(say(isNamed ? 'ready.check' : 'reverse.list'))
    }
  }
  const broken = known.find(({ state }) => state !== 'ok')
  if (broken === undefined) {
    const [{ ip, name }] = known as readonly [(typeof known)[number]]
    const more = known.length - 1
    const found =
      more === 0
        ? say('reverse.found', { ip, name: name ?? '' })
        : say('reverse.foundMore', { ip, name: name ?? '', more })
    return { ...head, state: 'met', ...found }
  }
  const { ip, name, state } = broken
  if (state === 'missing') {
    const found = say('reverse.missing', { ip })
    return { ...head, state: 'failed', ...found, ...hintOf(say('reverse.ask', { ip })) }
  }
  const names = { ip, name: name ?? '' }
  const hint = hintOf(say('reverse.publish', names))
  return { ...head, state: 'failed', ...say('reverse.wrong', names), ...hint }
}

function judgeSpam({ spamRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'spam_rate', label: 'Spam rate', requiredBy: GMAIL_YAHOO }
  if (spamRate === undefined) {
    return {
      ...head,
      state: 'unknown',
      ...say('spam.unknown'),
      ...hintOf(say('ready.connectGmail'))
    }
  }
  const { rate, receiver, date } = spamRate
  const limit = percent(SPAM_LIMIT)
  const found = say('spam.rate', { rate: percent(rate), receiver, date, limit })
  if (rate <= SPAM_WARN) return { ...head, state: 'met', ...found }
  const state = rate < SPAM_LIMIT ? 'warn' : 'failed'
  return { ...head, state, ...found, ...hintOf(say('spam.active')) }
}

function judgeComplaints({ complaintRate }: Partial<SenderFacts>): ReadinessItem {
  const head = { id: 'complaint_rate', label: 'Complaints', requiredBy: ['yahoo'] as const }
  if (complaintRate === undefined || complaintRate.sent < ENOUGH) {
    return { ...head, state: 'unknown', ...say('complaints.few', { least: ENOUGH }) }
  }
  const { rate, sent } = complaintRate
  const found = say('complaints.rate', { rate: percent(rate), sent, limit: percent(SPAM_LIMIT) })
  if (rate <= SPAM_WARN) return { ...head, state: 'met', ...found }
  const state = rate < SPAM_LIMIT ? 'warn' : 'failed'
  return { ...head, state, ...found, ...hintOf(say('complaints.find')) }
}
